package dev.mayfly.core.control;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.plan.Amounts;
import dev.mayfly.core.plan.Spending;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** What people see of a cluster: its workers counted, its pools, and what is wrong with it. */
final class ClusterViews {
  private final Ledger ledger;
  private final Instant now;
  private final Drift drift;

  ClusterViews(Ledger ledger, Instant now, Drift drift) {
    this.ledger = ledger;
    this.now = now;
    this.drift = drift;
  }

  ClusterView view(Cluster cluster) {
    var troubles = new ArrayList<String>();
    var found = ledger.query(new Query.Workers(cluster.uid(), false, Views.MANY));
    var workers =
        found.readable(unknown -> troubles.add(unknown.toString())).stream()
            .map(Stored::value)
            .toList();
    var jobs = ledger.query(new Query.LiveJobs(cluster.uid()));
    jobs.unreadable().forEach(unknown -> troubles.add(unknown.toString()));
    var states = new TreeMap<String, Integer>();
    if (!found.unreadable().isEmpty())
      states.put(WorkerViews.UNREADABLE, found.unreadable().size());
    var live = new HashMap<>(WorkerNames.pools(cluster, found.unreadable()));
    var used = Resources.ZERO;
    var total = Resources.ZERO;
    for (var w : workers) {
      states.merge(WorkerViews.word(w), 1, Integer::sum);
      if (w.state().live()) live.merge(w.pool(), 1, Integer::sum);
      if (w.state() instanceof WorkerState.Ready) total = total.plus(w.total());
      for (var h : w.held()) used = used.plus(h.need().times(h.atOnce()));
    }
    troubles.addAll(told(workers));
    cluster.spec().budget().flatMap(b -> Spending.over(b, workers)).ifPresent(troubles::add);
    if (drift.isEdited(cluster)) troubles.add(drift.say(cluster));
    troubles.addAll(Whereabouts.rollouts(cluster, workers, now));
    var pools =
        cluster.spec().pools().stream()
            .map(p ->
                new ClusterView.PoolView(
                    p.name(),
                    p.machineType(),
                    p.provisioning().word(),
                    live.getOrDefault(p.name(), 0),
                    p.min(),
                    p.max()))
            .toList();
    return new ClusterView(
        cluster.spec().name(),
        cluster.uid(),
        cluster.phase().name().toLowerCase(Locale.ROOT),
        cluster.generation(),
        cluster.createdAt(),
        cluster.spec(),
        states,
        pools,
        used,
        total,
        jobs.size(),
        troubles);
  }

  /** What workers report, with their names; what several report alike stands there once. */
  private static List<String> told(List<Worker> workers) {
    var byText = new LinkedHashMap<String, List<String>>();
    for (var w : workers)
      w.problem().ifPresent(p -> byText.computeIfAbsent(p, key -> new ArrayList<>()).add(w.name()));
    return byText.entrySet().stream()
        .map(e ->
            (e.getValue().size() == 1
                    ? e.getValue().getFirst()
                    : Amounts.count(e.getValue().size(), "worker"))
                + ": "
                + e.getKey())
        .toList();
  }
}
