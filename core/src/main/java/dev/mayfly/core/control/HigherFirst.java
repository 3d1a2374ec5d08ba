package dev.mayfly.core.control;

import dev.mayfly.core.model.Turns;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;

/**
 * Where a job of a higher priority has READY tasks that a worker could run, jobs of a lower one get
 * what is free there and no queue: all that falls free next is for the higher one.
 */
final class HigherFirst {
  /** Jobs that a pass asks about; each is a read. */
  private static final int MOST = 32;

  private final Dry dry;
  private final InstantSource clock;

  HigherFirst(Dry dry, InstantSource clock) {
    this.dry = dry;
    this.clock = clock;
  }

  /**
   * @param higher rows of all higher priorities
   * @param buyers calls that still wait for work
   */
  void leaveQueues(String cluster, List<Turns.Row> higher, Collection<Buyer> buyers) {
    if (higher.isEmpty()) return;
    var ahead = buyers.stream().filter(Buyer::queues).toList();
    var rows =
        higher.stream()
            .filter(row -> row.gang() <= 1 && !dry.has(row.job()))
            .filter(row -> ahead.stream().anyMatch(b -> couldRun(b, row)))
            .limit(MOST)
            .toList();
    if (rows.isEmpty()) return;
    dry.ask(cluster, rows);
    for (var row : rows)
      if (!dry.has(row.job()))
        ahead.stream().filter(b -> couldRun(b, row)).forEach(Buyer::leaveQueue);
  }

  private boolean couldRun(Buyer buyer, Turns.Row row) {
    return buyer.couldRun(row) && buyer.mayTake(row, clock.instant());
  }
}
