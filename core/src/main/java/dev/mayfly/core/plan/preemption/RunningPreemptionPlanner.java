package dev.mayfly.core.plan.preemption;

import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.capacity.ClusterInventory;
import dev.mayfly.core.plan.capacity.DrainPlanner;
import dev.mayfly.core.plan.capacity.HeldLimit;
import dev.mayfly.core.plan.capacity.KeptWorkerPlanner;
import dev.mayfly.core.plan.capacity.OutrankedTasks;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.Veto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Chooses running tasks that end for waiting ones of a higher priority.
 *
 * <p><b>Must:</b> end nothing for a job that may have a machine otherwise, and nothing of the same
 * or a higher priority, of a gang or an exclusive job; nothing on a machine that is cordoned, kept
 * for another job, unfit or about to end, nor in a pool that does not say so; no task that loses
 * more than {@link TaskLoss#most}; no more tasks than make room for those that wait; and nothing
 * while room is on its way.
 *
 * <p><b>Goals</b>, first to last: victims of the lowest priority; those that lose least.
 */
public final class RunningPreemptionPlanner {
  /** The most tasks that one plan ends. */
  static final int MOST = 64;

  /** The most jobs for which one plan looks at every worker. */
  private static final int SCANS = 16;

  private final ClusterSnapshot clusterSnapshot;
  private final Map<String, JobDemand> jobs = new LinkedHashMap<>();
  private final Map<String, JobDemand> keepers;
  private final Set<String> leaving = new HashSet<>();
  private final Set<PlanDecision> others;
  private final List<WorkerRoom> rooms = new ArrayList<>();
  private final List<PlanDecision.EndTasks> ends = new ArrayList<>();
  private final Map<String, List<Veto>> vetoes = new HashMap<>();
  private int ended;

  /**
   * @param job with the placement of these tasks
   * @param tasks how many lack room
   */
  public record Lack(JobDemand job, long tasks) {}

  /**
   * @param decisions what ends, and before it what goes back so that the room is not taken
   * @param vetoes by uid, what is made for the job, or why nothing is
   */
  public record Outcome(List<PlanDecision> decisions, Map<String, List<Veto>> vetoes) {}

  /**
   * @param others what the plan decided before
   * @param keepers by worker, the job that it is kept for
   */
  public RunningPreemptionPlanner(
      ClusterSnapshot clusterSnapshot, List<PlanDecision> others, Map<String, JobDemand> keepers) {
    this.clusterSnapshot = clusterSnapshot;
    this.keepers = keepers;
    this.others = new HashSet<>(others);
    clusterSnapshot.jobs().forEach(job -> jobs.put(job.job(), job));
    for (var decision : others)
      switch (decision) {
        case PlanDecision.Drain drain -> leaving.add(drain.worker());
        case PlanDecision.FormGang gang -> leaving.addAll(gang.workers());
        case PlanDecision.Launch _, PlanDecision.PreemptLease _, PlanDecision.EndTasks _ -> {}
      }
    for (var worker : clusterSnapshot.workers())
      if (!worker.held().isEmpty() && takesWork(worker))
        rooms.add(new WorkerRoom(worker, jobs, clusterSnapshot.now()));
  }

  /** Whether it could take another task if one of its own ended. */
  private boolean takesWork(Worker worker) {
    return DrainPlanner.isReady(worker)
        && worker.notice().isEmpty()
        && worker.unfit().isEmpty()
        && !worker.inGang()
        && !HeldLimit.isReached(worker)
        && TpuTypes.isOneHost(worker.machineType())
        && !ClusterInventory.isCordoned(clusterSnapshot, worker)
        && !leaving.contains(worker.name());
  }

  /**
   * Decides for what lacks room.
   *
   * @param found by uid, where tasks have room in this plan
   * @param known by uid, why the plan leaves jobs waiting
   */
  public Outcome end(
      List<Lack> lacks, Map<String, List<Plan.Found>> found, Map<String, List<Veto>> known) {
    var shared = new HashSet<String>();
    found.values().forEach(all -> all.forEach(it -> addIfReady(it, shared)));
    var places = List.copyOf(jobs.keySet());
    lacks.stream()
        .filter(lack -> mayEnd(lack.job(), known.getOrDefault(lack.job().job(), List.of())))
        .sorted(comparing(lack -> places.indexOf(lack.job().job())))
        .limit(SCANS)
        .forEach(lack -> end(lack, shared));
    var decisions = new ArrayList<PlanDecision>(yields());
    ends.sort(
        comparing(PlanDecision.EndTasks::worker)
            .thenComparing(end -> end.lease().job())
            .thenComparing(end -> end.lease().start()));
    decisions.addAll(ends);
    return new Outcome(decisions, vetoes);
  }

  private static void addIfReady(Plan.Found found, Set<String> pools) {
    if (found.where() == Plan.Where.READY) pools.add(found.pool());
  }

  /** Not for what a later plan may order machines for, nor for tasks that fail alike. */
  private static boolean mayEnd(JobDemand job, List<Veto> known) {
    return job.ready() > 0
        && job.gang() <= 1
        && job.waiting().crashLoop().isEmpty()
        && known.stream()
            .noneMatch(
                it -> it instanceof PoolVeto.PlanFull || it instanceof PoolVeto.CreationRate);
  }

  private void end(Lack lack, Set<String> shared) {
    var taker = lack.job();
    var usable = rooms.stream().filter(room -> isFor(room.worker(), taker)).toList();
    var wanted = Math.min(lack.tasks(), taker.ready());
    for (var room : usable)
      if (room.isComing(taker)) while (wanted > 0 && room.promise(taker)) wanted--;
    var lacking = wanted > 0 ? end(taker, wanted, usable, shared) : 0;
    var told = new PreemptionReasons(clusterSnapshot, jobs, ends).of(taker, lacking > 0);
    if (!told.isEmpty()) vetoes.put(taker.job(), told);
  }

  private boolean isFor(Worker worker, JobDemand taker) {
    var keeper = Optional.ofNullable(keepers.get(worker.name()));
    return worker.total().fits(taker.need())
        && worker.mayRun(taker.place())
        && keeper.filter(it -> !KeptWorkerPlanner.mayUseKept(it, taker)).isEmpty();
  }

  /** Returns for how many of its tasks there is no room yet. */
  private long end(JobDemand taker, long wanted, List<WorkerRoom> usable, Set<String> shared) {
    var candidates = new LinkedHashMap<WorkerRoom, List<Victims.Task>>();
    for (var room : usable)
      if (endsRunning(room.worker()) && !hasExclusive(room.worker(), taker))
        candidates.put(room, candidates(room.worker(), taker));
    var best = new TreeMap<Victims, WorkerRoom>(Victims.ORDER);
    candidates.forEach((room, tasks) -> add(best, room, taker, tasks, shared));
    var open = wanted;
    for (; open > 0 && !best.isEmpty(); open--) {
      var next = best.pollFirstEntry();
      if (ended + next.getKey().tasks().size() > MOST) return open;
      ended += next.getKey().tasks().size();
      next.getValue().end(next.getKey(), taker);
      decide(next.getValue().worker(), next.getKey(), taker);
      add(best, next.getValue(), taker, requireNonNull(candidates.get(next.getValue())), shared);
    }
    return open;
  }

  private static void add(
      TreeMap<Victims, WorkerRoom> best,
      WorkerRoom room,
      JobDemand taker,
      List<Victims.Task> tasks,
      Set<String> shared) {
    room.victims(taker, tasks, shared.contains(room.worker().pool()))
        .ifPresent(victims -> best.put(victims, room));
  }

  private boolean endsRunning(Worker worker) {
    return clusterSnapshot
        .cluster()
        .spec()
        .pool(worker.pool())
        .filter(PoolSpec::endsRunning)
        .isPresent();
  }

  /** What an exclusive job has queued there stays, and would take the room. */
  private boolean hasExclusive(Worker worker, JobDemand taker) {
    return worker.held().stream()
        .map(held -> jobs.get(held.job()))
        .anyMatch(
            job -> job != null && job.standing().exclusive() && WorkerRoom.isBelow(job, taker));
  }

  /** Its tasks that may end for the taker. */
  private List<Victims.Task> candidates(Worker worker, JobDemand taker) {
    var tasks = new ArrayList<Victims.Task>();
    for (var held : worker.held()) {
      var job = jobs.get(held.job());
      if (job == null || held.gang() || !WorkerRoom.isBelow(job, taker)) continue;
      var running = OutrankedTasks.running(held, clusterSnapshot.now());
      for (var i = 0; i < running.size(); i++) {
        var loss = TaskLoss.of(held, i, clusterSnapshot.now());
        if (loss.all().compareTo(TaskLoss.most(taker)) <= 0)
          tasks.add(
              new Victims.Task(
                  held.ref(),
                  running.get(i),
                  job.job(),
                  job.standing().priority(),
                  held.need(),
                  loss));
      }
    }
    tasks.sort(Victims.Task.ORDER);
    return tasks;
  }

  private void decide(Worker worker, Victims victims, JobDemand taker) {
    var by =
        new PlanDecision.EndTasks.For(taker.job(), taker.address(), taker.standing().priority());
    var beside =
        worker.held().stream()
            .filter(held -> !held.gang() && gives(held, taker))
            .map(Worker.Held::ref)
            .sorted(comparing(LeaseRef::job).thenComparing(LeaseRef::start))
            .toList();
    for (var held : worker.held()) {
      var some =
          victims.tasks().stream()
              .filter(task -> task.lease().equals(held.ref()))
              .map(task ->
                  new PlanDecision.EndTasks.Victim(
                      task.index(), task.loss().time(), task.loss().kept()))
              .sorted(comparing(PlanDecision.EndTasks.Victim::index))
              .toList();
      if (!some.isEmpty())
        add(new PlanDecision.EndTasks(worker.name(), held.ref(), some, by, beside));
    }
  }

  /** Of one lease, all tasks that end for one job are one decision. */
  private void add(PlanDecision.EndTasks more) {
    for (var i = 0; i < ends.size(); i++) {
      var known = ends.get(i);
      if (!known.worker().equals(more.worker())
          || !known.lease().equals(more.lease())
          || !known.taker().equals(more.taker())) continue;
      ends.set(i, known.and(more.victims()));
      return;
    }
    ends.add(more);
  }

  private boolean gives(Worker.Held held, JobDemand taker) {
    var job = jobs.get(held.job());
    return job != null && WorkerRoom.isBelow(job, taker);
  }

  /** Nothing unstarted of a lower priority is left where room is made. */
  private List<PlanDecision> yields() {
    var yields = new ArrayList<PlanDecision>();
    var workers = new HashMap<String, Worker>();
    for (var room : rooms) workers.put(room.worker().name(), room.worker());
    for (var end : ends)
      for (var held : requireNonNull(workers.get(end.worker())).held()) {
        if (!end.beside().contains(held.ref())) continue;
        var reason = "job %s has a higher priority".formatted(end.taker().address());
        var rest = new PlanDecision.PreemptLease(end.worker(), held.ref(), held.atOnce(), reason);
        if (isNew(rest)) yields.add(rest);
        others.add(rest);
      }
    return yields;
  }

  private boolean isNew(PlanDecision.PreemptLease rest) {
    return others.stream()
        .noneMatch(it ->
            it instanceof PlanDecision.PreemptLease known
                && known.worker().equals(rest.worker())
                && known.lease().equals(rest.lease()));
  }
}
