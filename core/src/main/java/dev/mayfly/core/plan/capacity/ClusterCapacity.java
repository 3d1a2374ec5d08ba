package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.plan.model.JobDemand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Room on workers, as a value: like workers are one row, so that a plan costs arithmetic for each
 * job and never for each task.
 *
 * @param most at least what any of the rooms has of each amount: what needs more need not look
 * @param keepers by worker, the job that it is kept for
 */
public record ClusterCapacity(List<Room> rooms, Resources most, Map<String, JobDemand> keepers) {
  public ClusterCapacity(List<Room> rooms, Map<String, JobDemand> keepers) {
    this(rooms, most(rooms), keepers);
  }

  private static Resources most(List<Room> rooms) {
    long cpu = 0;
    long memory = 0;
    long gpu = 0;
    long tpu = 0;
    for (var room : rooms) {
      var amounts = room.free.amounts();
      cpu = Math.max(cpu, amounts.cpuMillis());
      memory = Math.max(memory, amounts.memoryBytes());
      gpu = Math.max(gpu, amounts.gpuMillis());
      tpu = Math.max(tpu, amounts.tpuChips());
    }
    return new Resources(cpu, memory, gpu, tpu);
  }

  /** In the order in which they are filled. */
  public enum Use {
    BUSY,
    IDLE,
    /** Idle for so long that it is drained unless somebody needs it. */
    SPARE,
    IN_FLIGHT
  }

  /**
   * Where a worker is.
   *
   * @param worker its name if a job may run on named workers alone and names it, or if it is kept
   *     for a job; else empty
   */
  public record At(String pool, String zone, String worker) {
    Site site() {
      return new Site(pool, zone);
    }
  }

  /** One zone of one pool: where all workers of a gang are. */
  public record Site(String pool, String zone) {}

  /**
   * {@code count} workers of one place, each with so much free.
   *
   * @param slice whether each has several hosts; {@code free} is then what one host has
   */
  public record Room(At at, FreeResources free, Use use, long count, boolean slice) {
    private Room left(FreeResources next, long n) {
      return new Room(at, slice ? FreeResources.of(Resources.ZERO) : next, Use.BUSY, n, slice);
    }

    private Room same(long n) {
      return new Room(at, free, use, n, slice);
    }

    /** How many tasks fit on one of them. A slice of several hosts runs one on all of them. */
    long slots(Resources need) {
      var fits = free.slots(need);
      return slice ? Math.min(1, fits) : fits;
    }
  }

  /**
   * @param capacity what is left
   * @param filled how many tasks found room
   */
  public record Allocation(ClusterCapacity capacity, long filled) {}

  private ClusterCapacity having(List<Room> next) {
    return new ClusterCapacity(next, keepers);
  }

  /** The same where those workers are kept and no others. */
  public ClusterCapacity keeping(Map<String, JobDemand> next) {
    return new ClusterCapacity(rooms, most, next);
  }

  /** Puts up to {@code tasks} tasks of the job into the rooms, first to last. */
  public Allocation take(JobDemand job, long tasks) {
    if (tasks <= 0 || !most.covers(job.need())) return new Allocation(this, 0);
    var next = new ArrayList<Room>(rooms.size() + 2);
    var open = tasks;
    for (var room : rooms) {
      var slots = open > 0 ? room.slots(job.need()) : 0;
      if (slots == 0 || !mayUse(job, room)) next.add(room);
      else open -= fill(room, slots, open, job.need(), next);
    }
    return open == tasks ? new Allocation(this, 0) : new Allocation(having(next), tasks - open);
  }

  private boolean mayUse(JobDemand job, Room room) {
    var placement = job.place();
    var at = room.at;
    return (!room.slice || placement.allowsSlices(job.need()))
        && placement.allowsPool(at.pool)
        && placement.allowsZone(at.zone)
        && (placement.allowsLaunches() || placement.workers().contains(at.worker))
        && isFor(job, at);
  }

  /** Whether the worker is kept for nobody that the job has to leave it to. */
  private boolean isFor(JobDemand job, At at) {
    var keeper = at.worker.isEmpty() ? null : keepers.get(at.worker);
    return keeper == null || KeptWorkerPlanner.mayUseKept(keeper, job);
  }

  private static long fill(Room room, long slots, long open, Resources need, List<Room> out) {
    var full = Math.min(room.count, open / slots);
    var rest = full < room.count ? open - full * slots : 0;
    if (full > 0) out.add(room.left(room.free.without(need, slots), full));
    if (rest > 0) out.add(room.left(room.free.without(need, rest), 1));
    var whole = room.count - full - (rest > 0 ? 1 : 0);
    if (whole > 0) out.add(room.same(whole));
    return full * slots + rest;
  }

  /**
   * Without one worker of the place that has nothing to do; empty if others before have taken them
   * all, or if the job has to leave it to another.
   *
   * @param coming whether it is on its way
   */
  public Optional<ClusterCapacity> without(JobDemand job, At at, boolean coming) {
    for (var i = 0; i < rooms.size(); i++) {
      var room = rooms.get(i);
      if (!isFree(room, coming) || !room.at.equals(at) || !isFor(job, at)) continue;
      var next = new ArrayList<>(rooms);
      if (room.count == 1) next.remove(i);
      else next.set(i, room.same(room.count - 1));
      return Optional.of(having(next));
    }
    return Optional.empty();
  }

  private static boolean isFree(Room room, boolean coming) {
    return room.use != Use.BUSY && (room.use == Use.IN_FLIGHT) == coming;
  }

  public ClusterCapacity plus(Room room) {
    var next = new ArrayList<>(rooms);
    next.add(room);
    return having(next);
  }

  /** How many workers of the place, of this use, were not taken. */
  public long untaken(At at, Use use) {
    return rooms.stream().filter(r -> r.use == use && r.at.equals(at)).mapToLong(Room::count).sum();
  }
}
