package dev.mayfly.core.query;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.plan.Feasibility;
import dev.mayfly.core.plan.capacity.Cordons;
import dev.mayfly.core.plan.capacity.IdleMachines;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads why machines are kept that do nothing, and says it for a cluster. */
final class IdleMachineReader {
  private final Ledger ledger;
  private final Instant now;

  IdleMachineReader(Ledger ledger, Instant now) {
    this.ledger = ledger;
    this.now = now;
  }

  /** By worker, why it is kept idle. Jobs are read only where a pool keeps spare machines. */
  Map<String, String> kept(Cluster cluster, List<Worker> workers) {
    if (workers.stream().noneMatch(w -> w.state().isIdle())) return Map.of();
    var spare = cluster.spec().pools().stream().anyMatch(pool -> pool.spares() > 0);
    var jobs =
        spare
            ? ledger.query(new LedgerQuery.LiveJobs(cluster.uid())).readableOnly().stream()
                .map(VersionedDocument::value)
                .toList()
            : List.<Job>of();
    return IdleMachines.kept(
        new ClusterSnapshot(now, cluster, workers, List.of(), List.of()),
        pool -> jobs.stream().anyMatch(job -> mayUse(job, pool)));
  }

  private static boolean mayUse(Job job, PoolSpec pool) {
    return job.running() && Feasibility.mayRun(job.spec(), pool);
  }

  /** A sentence for each reason, with what these machines cost. */
  List<String> sentences(Cluster cluster, List<Worker> workers) {
    var kept = kept(cluster, workers);
    var byReason = new TreeMap<String, List<Worker>>();
    for (var worker : workers)
      Optional.ofNullable(kept.get(worker.name()))
          .ifPresent(why -> byReason.computeIfAbsent(why, _ -> new ArrayList<>()).add(worker));
    var idle =
        byReason.entrySet().stream()
            .map(entry ->
                "%s %s%s"
                    .formatted(
                        HumanAmounts.count(entry.getValue().size(), "machine"),
                        entry.getKey(),
                        price(entry.getValue())));
    var held = workers.stream().flatMap(worker -> held(worker).stream());
    return Stream.concat(idle, held).toList();
  }

  /** Of a machine that a job keeps: for what, until when, what it costs, and what ends that. */
  Optional<String> held(Worker worker) {
    return Cordons.of(worker, now)
        .filter(cordon -> cordon.kept().isPresent())
        .map(cordon ->
            "worker %s: %s, until %s%s; mayfly uncordon %1$s ends that"
                .formatted(
                    worker.name(),
                    WorkerStatusBuilder.why(cordon),
                    cordon.until(),
                    price(worker).map(usd -> "; " + usd).orElse("")));
  }

  /** A sentence for each machine that the job keeps because tasks of it failed there for good. */
  List<String> heldFor(Job job) {
    var keys =
        job.kept(now).stream()
            .map(it -> new DocumentKey.OfWorker(job.cluster(), it.worker()))
            .toList();
    if (keys.isEmpty()) return List.of();
    return ledger.readAll(keys).readableOnly().stream()
        .filter(stored -> isKeptFor(stored.value(), job))
        .flatMap(stored -> held(stored.value()).stream())
        .toList();
  }

  /** Since a person ended that, the worker may be kept for another job. */
  private static boolean isKeptFor(Worker worker, Job job) {
    return worker
        .cordon()
        .flatMap(Cordon::kept)
        .filter(it -> it.job().equals(job.uid()))
        .isPresent();
  }

  /** What one costs an hour; empty if nothing more, or if its price is not known. */
  static Optional<String> price(Worker worker) {
    return usd(worker).map(usd -> HumanAmounts.exactUsd(usd) + " an hour");
  }

  private static Optional<Double> usd(Worker worker) {
    var costs =
        worker.provisioning() != Provisioning.STATIC
            && worker.provisioning() != Provisioning.RESERVED;
    return worker.usage().filter(_ -> costs).flatMap(MachineUsage::usdPerHour);
  }

  private static String price(List<Worker> workers) {
    var known = workers.stream().flatMap(w -> usd(w).stream()).toList();
    if (known.isEmpty()) return "";
    return "; %s an hour"
        .formatted(HumanAmounts.exactUsd(known.stream().mapToDouble(p -> p).sum()));
  }
}
