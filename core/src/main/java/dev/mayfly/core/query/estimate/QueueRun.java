package dev.mayfly.core.query.estimate;

import dev.mayfly.core.model.FreeResources;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One run of a cluster's queue, until the job starts that waits. Machines take tasks as the
 * dispatcher gives them: by priority, then of the owner that runs least for their shares, then by
 * age; what needs more room than there is keeps machines until it has it.
 */
final class QueueRun {
  /** More are no news: the job does not start. */
  private static final int MOST_STEPS = 20_000;

  /** So many waiting tasks of a job are drawn; where there are more, each stands for several. */
  private static final long MOST_OF_JOB = 500;

  private static final int NONE = QueueMachines.NONE;

  /**
   * A machine comes, or a task ends on some.
   *
   * @param counted whether the task said itself how long it takes
   */
  private record Event(double at, int job, List<Integer> machines, boolean counted) {
    private Event(double at, int job, List<Integer> machines) {
      this(at, job, machines, false);
    }
  }

  private final RestOfQueue queue;
  private final RandomGenerator random;
  private final List<JobDurations.@Nullable Drawn> durations = new ArrayList<>();
  private final List<Integer> order;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingDouble(Event::at));
  private final long[] waiting;
  private final long[] leased;
  private final Map<String, Long> owned = new HashMap<>();
  private final Map<String, Double> runs = new HashMap<>();
  private final QueueMachines machines;
  private double now;
  private double start = Double.POSITIVE_INFINITY;
  private double certain;

  /**
   * By machine, the last end there that its task foretold: what comes then is no later in doubt.
   */
  private final double[] foretold;

  QueueRun(RestOfQueue queue, RandomGenerator random) {
    this.queue = queue;
    this.random = random;
    var jobs = queue.jobs();
    for (var job : jobs) durations.add(job.durations().map(it -> it.drawNext(random)).orElse(null));
    order =
        IntStream.range(0, jobs.size())
            .boxed()
            .sorted(Comparator.comparing((Integer i) -> -jobs.get(i).priority()))
            .toList();
    waiting = jobs.stream().mapToLong(RestOfQueue.Queued::waiting).toArray();
    leased = new long[jobs.size()];
    machines = new QueueMachines(queue);
    foretold = new double[queue.machines().size()];
    for (var machine : queue.machines())
      machine
          .given()
          .forEach((job, tasks) -> {
            leased[job] += tasks;
            own(job, tasks);
          });
  }

  private RestOfQueue.Queued job(int index) {
    return queue.jobs().get(index);
  }

  private void own(int job, long tasks) {
    owned.merge(job(job).owner(), tasks, Long::sum);
  }

  private void run(int job, int tasks) {
    runs.merge(job(job).owner(), tasks * job(job).part(), Double::sum);
  }

  /**
   * When its first task starts; infinite if it does not.
   *
   * @param factor by which that is later than drawn, but for the pause before its machine's order
   */
  double start(double factor) {
    for (var i = 0; i < queue.machines().size(); i++) {
      var machine = List.of(i);
      queue
          .machines()
          .get(i)
          .coming()
          .ifPresent(it -> events.add(new Event(it.draw(random), NONE, machine)));
      for (var task : queue.machines().get(i).running()) begun(i, task);
    }
    events.add(new Event(0, NONE, machines.there()));
    for (var steps = 0; !events.isEmpty() && steps < MOST_STEPS; steps++) {
      var event = events.remove();
      if (Double.isInfinite(event.at())) break;
      now = event.at();
      if (event.job() != NONE) ended(event);
      for (int machine : event.machines()) {
        machines.comes(machine);
        fill(machine);
        if (Double.isFinite(start)) return certain + Math.max(0, start - certain) * factor;
      }
    }
    return start;
  }

  /** A task that runs already; what ended unheard has made room before now. */
  private void begun(int machine, RestOfQueue.Running task) {
    machines.begin(machine, task.job(), task.whole());
    leased[task.job()]++;
    own(task.job(), 1);
    run(task.job(), 1);
    var drawn = durations.get(task.job());
    if (drawn == null) return;
    var left = task.task().drawLeft(drawn, random) - task.task().unheard();
    events.add(new Event(left, task.job(), List.of(machine), task.task().left().isPresent()));
  }

  private void ended(Event event) {
    leased[event.job()]--;
    own(event.job(), -1);
    run(event.job(), -1);
    for (int machine : event.machines()) {
      machines.end(machine, event.job());
      if (event.counted()) foretold[machine] = Math.max(foretold[machine], event.at());
    }
  }

  private void fill(int machine) {
    while (Double.isInfinite(start)) {
      var free = machines.free(machine);
      var next = next(machine, free);
      if (next == NONE) return;
      begin(
          next,
          job(next).gang() > 1
              ? machines.idleFor(next, machine).subList(0, job(next).gang())
              : List.of(machine));
    }
  }

  /** The job whose task the machine takes now; {@link #NONE} if it takes none. */
  private int next(int machine, FreeResources free) {
    var holder = given(machine);
    var fits = holder != NONE && free.fits(job(holder).need());
    // Before now only tasks began that machines held.
    if (now < 0) return fits ? holder : NONE;
    var other = waiting(machine, free);
    if (holder == NONE)
      return other == NONE && machines.isIdle(machine) ? stolen(machine, free) : other;
    if (other != NONE && givesWay(holder, other)) return other;
    // What the machine holds has its room, before that is enough for it.
    return fits ? holder : NONE;
  }

  private int given(int machine) {
    for (int job : order) if (machines.holds(machine, job)) return job;
    return NONE;
  }

  /** An idle machine takes a task of the one that holds most others of its job. */
  private int stolen(int machine, FreeResources free) {
    for (int job : order) {
      var from = machines.holdsMost(job);
      if (from == NONE || job(job).exclusive()) continue;
      if (!may(job, machine) || !free.fits(job(job).need())) continue;
      machines.move(from, machine, job);
      return job;
    }
    return NONE;
  }

  /** As leases are preempted: for a higher priority, or an owner who is served first. */
  private boolean givesWay(int holder, int other) {
    var one = job(holder);
    var another = job(other);
    if (one.exclusive()) return false;
    if (one.priority() != another.priority()) return one.priority() < another.priority();
    return !one.owner().equals(another.owner()) && level(holder) > level(other);
  }

  private double level(int job) {
    var owner = job(job).owner();
    return queue.rule().level(owner, runs.getOrDefault(owner, 0.0));
  }

  private int waiting(int machine, FreeResources free) {
    var keeps = machines.keeper(machine);
    if (keeps != NONE && !wants(keeps)) machines.release(machine);
    else if (keeps != NONE) return fits(keeps, machine, free) ? keeps : NONE;
    var first = machines.first(machine);
    if (first != NONE && wants(first) && fits(first, machine, free)) return first;
    return byTurn(machine, free);
  }

  /** A job behind one that lacks room may take what is too little for that. */
  private int byTurn(int machine, FreeResources free) {
    var isFirst = true;
    for (int job : byTurn()) {
      if (!wants(job) || !may(job, machine)) continue;
      if (fits(job, machine, free)) return job;
      if (isFirst && now >= job(job).keepsFrom()) machines.keep(machine, job);
      if (machines.keeper(machine) == job) return fits(job, machine, free) ? job : NONE;
      isFirst = false;
    }
    return NONE;
  }

  /** Within a priority the owner that runs least for their shares goes first. */
  private List<Integer> byTurn() {
    var turn = new ArrayList<>(order);
    turn.sort(
        Comparator.comparing((Integer i) -> -job(i).priority()).thenComparingDouble(this::level));
    return turn;
  }

  private boolean may(int job, int machine) {
    return job(job).machines().contains(machine);
  }

  private boolean wants(int job) {
    var it = job(job);
    var ofOwner = queue.limits().getOrDefault(it.owner(), Long.MAX_VALUE);
    return waiting[job] > 0
        && leased[job] < it.most()
        && owned.getOrDefault(it.owner(), 0L) < ofOwner;
  }

  /** Whether a task can begin there now: a gang's with others that are kept for it. */
  private boolean fits(int job, int machine, FreeResources free) {
    if (job(job).gang() <= 1) return free.fits(job(job).need());
    return machines.keeper(machine) == job && machines.isComplete(job, machine);
  }

  private void begin(int job, List<Integer> on) {
    int machine = on.getFirst();
    var each = 1L;
    if (machines.holds(machine, job)) machines.take(machine, job);
    else {
      var all = job(job).waiting();
      each = Math.min(waiting[job], (all + MOST_OF_JOB - 1) / MOST_OF_JOB);
      waiting[job] -= each;
      leased[job]++;
      own(job, 1);
      if (job == queue.job()) {
        start = now;
        var coming = queue.machines().get(machine).coming();
        certain = Math.max(foretold[machine], coming.map(RestOfQueue.Coming::from).orElse(0.0));
      }
    }
    run(job, 1);
    for (int it : on) {
      machines.begin(it, job, job(job).gang() > 1);
      machines.served(it);
      if (machines.keeper(it) == job) machines.release(it);
    }
    var drawn = durations.get(job);
    if (drawn != null) events.add(new Event(now + drawn.next(random) * each, job, on));
  }
}
