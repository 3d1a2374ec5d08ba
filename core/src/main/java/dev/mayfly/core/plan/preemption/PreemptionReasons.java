package dev.mayfly.core.plan.preemption;

import static java.util.Comparator.comparing;

import dev.mayfly.core.model.Outranked;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.capacity.DrainPlanner;
import dev.mayfly.core.plan.capacity.OutrankedTasks;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.veto.ComingVeto;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.WorkerVeto;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is ended for a waiting job, and why nothing more is.
 *
 * @param jobs the running ones, by uid
 * @param ends what this plan ends
 */
record PreemptionReasons(
    ClusterSnapshot clusterSnapshot,
    Map<String, JobDemand> jobs,
    List<PlanDecision.EndTasks> ends) {
  /** Pools that are told. */
  private static final int MOST = 3;

  /**
   * @param lacking whether some of its tasks get no room by what ends
   */
  List<Veto> of(JobDemand taker, boolean lacking) {
    var vetoes = new ArrayList<Veto>();
    made(taker).ifPresent(vetoes::add);
    if (lacking)
      clusterSnapshot.cluster().spec().pools().stream()
          .flatMap(pool -> spared(pool, taker).stream())
          .limit(MOST)
          .forEach(vetoes::add);
    return vetoes;
  }

  private Optional<Veto> made(JobDemand taker) {
    var tasks = new TreeMap<String, TreeSet<Long>>();
    var until = new TreeSet<Instant>();
    for (var worker : clusterSnapshot.workers())
      for (var held : worker.held())
        for (var it : OutrankedTasks.pending(held, clusterSnapshot.now()))
          if (isFor(it, taker)) {
            add(tasks, held.job(), it.index());
            until.add(it.until());
          }
    var told = !tasks.isEmpty();
    for (var end : ends)
      if (end.taker().job().equals(taker.job()))
        for (var victim : end.victims()) {
          add(tasks, end.lease().job(), victim.index());
          told = false;
        }
    if (tasks.isEmpty()) return Optional.empty();
    var ending =
        tasks.entrySet().stream()
            .map(it -> new ComingVeto.Ending(it.getKey(), List.copyOf(it.getValue())))
            .toList();
    return Optional.of(
        new ComingVeto.RoomMade(ending, told ? Optional.of(until.last()) : Optional.empty()));
  }

  private static boolean isFor(Outranked it, JobDemand taker) {
    return it.job().equals(taker.job());
  }

  private void add(TreeMap<String, TreeSet<Long>> tasks, String job, long index) {
    var name = Optional.ofNullable(jobs.get(job)).map(JobDemand::address).orElse(job);
    tasks.computeIfAbsent(name, _ -> new TreeSet<>()).add(index);
  }

  /** Why no task of the pool ends for it; empty without one of a lower priority. */
  private Optional<Veto> spared(PoolSpec pool, JobDemand taker) {
    var losses = new ArrayList<TaskLoss>();
    var whole = false;
    for (var worker : clusterSnapshot.workers())
      if (worker.pool().equals(pool.name()) && couldServe(worker, taker))
        for (var held : worker.held()) {
          var job = jobs.get(held.job());
          if (job == null || !WorkerRoom.isBelow(job, taker)) continue;
          whole |= held.gang() || job.standing().exclusive();
          if (held.gang()) continue;
          for (var i = 0; i < OutrankedTasks.running(held, clusterSnapshot.now()).size(); i++)
            losses.add(TaskLoss.of(held, i, clusterSnapshot.now()));
        }
    if (!whole && losses.isEmpty()) return Optional.empty();
    return why(pool, taker, losses, whole).map(why -> new WorkerVeto.NoneEnds(pool.name(), why));
  }

  private static boolean couldServe(Worker worker, JobDemand taker) {
    return DrainPlanner.isReady(worker)
        && worker.mayRun(taker.place())
        && worker.total().fits(taker.need());
  }

  private static Optional<WorkerVeto.Spared> why(
      PoolSpec pool, JobDemand taker, List<TaskLoss> losses, boolean whole) {
    if (!pool.endsRunning()) return Optional.of(new WorkerVeto.Spared.Off());
    if (whole) return Optional.of(new WorkerVeto.Spared.Whole());
    var most = TaskLoss.most(taker);
    return losses.stream()
        .min(comparing(TaskLoss::all))
        .filter(least -> least.all().compareTo(most) > 0)
        .<WorkerVeto.Spared>map(
            least -> new WorkerVeto.Spared.LoseTooMuch(most, least.all(), least.before()));
  }
}
