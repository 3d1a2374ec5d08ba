package dev.mayfly.core.query;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.plan.FullStorage;
import dev.mayfly.core.plan.budget.HourlySpending;
import dev.mayfly.core.plan.budget.MonthlySpending;
import dev.mayfly.core.plan.capacity.HeldRuns;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.UnusedCluster;
import dev.mayfly.core.plan.share.Sharing;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.VetoText;
import dev.mayfly.core.plan.waiting.LateBoots;
import dev.mayfly.core.plan.waiting.PoolCauses;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.query.schedule.ScheduleReader;
import dev.mayfly.core.state.ManualEdits;
import dev.mayfly.core.state.RebuildableDocument;
import dev.mayfly.core.state.worker.MonthReader;
import dev.mayfly.core.state.worker.WorkerNames;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Builds what users see of a cluster: worker counts, pools and problems. */
final class ClusterStatusBuilder {
  private final Ledger ledger;
  private final Fleet fleet;
  private final Instant now;
  private final ManualEdits manualEdits;

  ClusterStatusBuilder(Ledger ledger, Fleet fleet, Instant now, ManualEdits manualEdits) {
    this.ledger = ledger;
    this.fleet = fleet;
    this.now = now;
    this.manualEdits = manualEdits;
  }

  /**
   * @param wanted how many machines each pool would have now; empty if that was not asked
   * @param waiting why its jobs wait
   */
  ClusterStatus view(
      Cluster cluster, Optional<Map<String, Integer>> wanted, WaitingReader waiting) {
    var problems = new ArrayList<String>();
    var found =
        ledger.query(new LedgerQuery.Workers(cluster.uid(), false, StatusQueries.MAX_WORKERS));
    var workers =
        found.readable(unknown -> problems.add(unknown.toString())).stream()
            .map(VersionedDocument::value)
            .toList();
    var jobs = ledger.query(new LedgerQuery.LiveJobs(cluster.uid()));
    jobs.unreadable().forEach(unknown -> problems.add(unknown.toString()));
    var states = new TreeMap<String, Integer>();
    if (!found.unreadable().isEmpty())
      states.put(WorkerStatusBuilder.UNREADABLE, found.unreadable().size());
    var live = new HashMap<>(WorkerNames.pools(cluster, found.unreadable()));
    for (var w : workers) {
      states.merge(WorkerStatusBuilder.word(w, now), 1, Integer::sum);
      if (w.state().live()) live.merge(w.pool(), 1, Integer::sum);
    }
    var resourceUse = ResourceUse.of(workers);
    problems.addAll(causes(cluster, workers));
    problems.addAll(reportedProblems(workers));
    FullStorage.of(workers).forEach(use -> problems.add(FullStorage.text(use)));
    cluster
        .spec()
        .hourlyBudget()
        .flatMap(b -> HourlySpending.aboveBudget(b, workers))
        .ifPresent(veto -> problems.add(VetoText.of(veto, now).text()));
    ofMonth(cluster, workers).forEach(veto -> problems.add(VetoText.of(veto, now).text()));
    if (!jobs.isEmpty() && (wanted.isPresent() || mayBeHeld(cluster, workers)))
      held(waiting, problems);
    if (manualEdits.isEdited(cluster)) problems.add(manualEdits.describe(cluster));
    UnusedCluster.of(cluster)
        .filter(_ -> jobs.isEmpty())
        .flatMap(it -> it.text(now))
        .ifPresent(problems::add);
    problems.addAll(PlacementReasons.rollouts(cluster, workers, now));
    var schedules = new ScheduleReader(ledger).of(cluster, problems::add);
    var pools =
        cluster.spec().pools().stream()
            .map(p ->
                new ClusterStatus.PoolView(
                    p.name(),
                    p.machineType(),
                    p.provisioning().word(),
                    live.getOrDefault(p.name(), 0),
                    wanted.map(machines -> machines.getOrDefault(p.name(), 0)),
                    p.min(),
                    p.max(),
                    fleet.whyNoContainers(cluster.spec(), p),
                    fleet.whyNoSubmitters(p)))
            .toList();
    return new ClusterStatus(
        cluster.spec().name(),
        cluster.uid(),
        cluster.phase().name().toLowerCase(Locale.ROOT),
        cluster.generation(),
        cluster.createdAt(),
        cluster.spec(),
        states,
        pools,
        resourceUse.used(),
        resourceUse.total(),
        ResourceUse.byKind(workers, cluster.spec()),
        jobs.size(),
        problems,
        new IdleMachineReader(ledger, now).sentences(cluster, workers),
        schedules,
        sharing(cluster, workers));
  }

  private Optional<Sharing> sharing(Cluster cluster, List<Worker> workers) {
    var queue = RebuildableDocument.read(ledger, new DocumentKey.OfJobQueue(cluster.uid())).value();
    return Sharing.of(
        cluster.spec(),
        queue.map(JobQueue::rows).orElse(List.of()),
        queue.map(JobQueue::ownerUses).orElse(List.of()),
        HeldRuns.byJob(workers),
        now);
  }

  /** A list of clusters makes no plan, but where nothing may be launched for jobs that wait. */
  private static boolean mayBeHeld(Cluster cluster, List<Worker> workers) {
    return workers.isEmpty()
        || cluster.spec().usdPerMonth().isPresent()
        || cluster.spec().hourlyBudget().isPresent();
  }

  /**
   * What keeps machines from jobs that wait: in place of the same that is told already without
   * them, perhaps a second older.
   */
  private void held(WaitingReader waiting, List<String> problems) {
    for (var jobs : waiting.held()) {
      var why = ageless(VetoText.of(jobs.why(), now).text());
      var told = problems.stream().map(ClusterStatusBuilder::ageless).toList().indexOf(why);
      if (told < 0) problems.add(jobs.text(now));
      else problems.set(told, jobs.text(now));
    }
  }

  private static String ageless(String text) {
    return text.replaceAll("\\b([0-9]+[smhd])+\\b", "");
  }

  /** What its budget of the month forbids. */
  private List<Veto> ofMonth(Cluster cluster, List<Worker> workers) {
    var snapshot =
        new ClusterSnapshot(now, cluster, workers, List.of(), List.of())
            .withSpentThisMonth(new MonthReader(ledger).atMost(cluster, workers, now));
    var spending = new MonthlySpending(snapshot);
    var vetoes = new ArrayList<Veto>();
    spending.usedUp().ifPresent(vetoes::add);
    spending.unknown().ifPresent(vetoes::add);
    return vetoes;
  }

  /** Machines that do not come, and why pools would get none now. */
  private List<String> causes(Cluster cluster, List<Worker> workers) {
    var stockouts =
        ledger.query(new LedgerQuery.Stockouts()).readableOnly().stream()
            .map(VersionedDocument::value)
            .toList();
    var clusterSnapshot = new ClusterSnapshot(now, cluster, workers, List.of(), stockouts);
    var late = new LateBoots(clusterSnapshot).all();
    return Stream.concat(late.stream(), PoolCauses.of(clusterSnapshot).stream())
        .map(veto -> VetoText.of(veto, now).text())
        .toList();
  }

  /** What workers report, with their names; equal reports are listed once. */
  private static List<String> reportedProblems(List<Worker> workers) {
    var byText = new LinkedHashMap<String, List<String>>();
    for (var w : workers)
      w.machineProblem()
          .map(MachineProblem::text)
          .ifPresent(p -> byText.computeIfAbsent(p, key -> new ArrayList<>()).add(w.name()));
    return byText.entrySet().stream()
        .map(e ->
            (e.getValue().size() == 1
                    ? e.getValue().getFirst()
                    : HumanAmounts.count(e.getValue().size(), "worker"))
                + ": "
                + e.getKey())
        .toList();
  }
}
