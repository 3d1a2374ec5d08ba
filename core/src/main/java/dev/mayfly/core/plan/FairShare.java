package dev.mayfly.core.plan;

import dev.mayfly.core.lease.LeastServed;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.Worker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts what each owner runs.
 *
 * <p><b>Goals:</b> owners whose jobs have one priority run as many tasks as each other; within an
 * owner, the oldest job goes first. It is reached as tasks end: nothing is killed for it. {@link
 * LeastServed} assigns free slots; {@code GivingWay} rebalances long leases.
 */
public final class FairShare {
  private FairShare() {}

  /** The rows with what each runs, where owners share a priority. */
  public static List<Turns.Row> counted(List<Turns.Row> rows, List<Worker> workers) {
    var slots = Shares.slots(workers);
    return LeastServed.bands(rows).stream()
        .flatMap(band -> {
          var shared = LeastServed.shared(band);
          return band.stream()
              .map(r -> r.withRunning(shared ? slots.getOrDefault(r.job(), 0L) : 0));
        })
        .toList();
  }

  /** The rows with what was counted for each before. */
  public static List<Turns.Row> countedBefore(List<Turns.Row> rows, List<Turns.Row> before) {
    var running = new HashMap<String, Long>();
    before.forEach(r -> running.put(r.job(), r.running()));
    return rows.stream().map(r -> r.withRunning(running.getOrDefault(r.job(), 0L))).toList();
  }

  /** How many tasks each owner of these jobs runs, by name. */
  public static Map<String, Long> shares(List<Turns.Row> band, List<Worker> workers) {
    var slots = Shares.slots(workers);
    var owners = new TreeMap<String, Long>();
    for (var row : band) owners.merge(row.owner(), slots.getOrDefault(row.job(), 0L), Long::sum);
    return owners;
  }
}
