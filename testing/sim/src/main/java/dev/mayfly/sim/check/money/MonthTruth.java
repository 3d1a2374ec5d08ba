package dev.mayfly.sim.check.money;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.sim.observation.GroundTruth;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.stream.Stream;

/** What a cluster's machines have cost in this month, from all that is stored of them. */
public record MonthTruth(GroundTruth groundTruth, Cluster cluster) {
  private static final int MOST = 1_000;

  /** By days, by ended machines that are in none yet, and by living ones until now. */
  public double spent() {
    var month = Usage.Month.id(LocalDate.ofInstant(groundTruth.now(), ZoneOffset.UTC));
    var ended =
        groundTruth.all(Usage.class).stream()
            .filter(usage -> usage.cluster().equals(cluster.uid()))
            .map(Usage::rows);
    var living = workers().map(worker -> Usage.rows(worker.counted(groundTruth.now())));
    return Stream.concat(ended, living).mapToDouble(rows -> Usage.Month.usd(month, rows)).sum();
  }

  /**
   * Whether machines and what they have cost can be read: the month's sum is told by its days too.
   */
  public boolean isReadable() {
    var ledger = groundTruth.ledger();
    var month = Usage.Month.id(LocalDate.ofInstant(groundTruth.now(), ZoneOffset.UTC));
    return ledger
            .query(new LedgerQuery.Usages(cluster.uid(), month + "-01", MOST))
            .unreadable()
            .isEmpty()
        && ledger.query(new LedgerQuery.Workers(cluster.uid(), false, MOST)).unreadable().isEmpty();
  }

  /** What its machines cost an hour, until they are proved gone. */
  public double usdPerHour() {
    return workers()
        .flatMap(worker -> worker.usage().flatMap(MachineUsage::usdPerHour).stream())
        .mapToDouble(usd -> usd)
        .sum();
  }

  private Stream<Worker> workers() {
    return groundTruth.all(Worker.class).stream()
        .filter(worker -> worker.cluster().equals(cluster.uid()))
        .filter(worker -> !(worker.state() instanceof WorkerState.Gone));
  }
}
