package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.plan.model.JobDemand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Free room on workers, as an immutable value. Like workers share a row, so that a plan costs
 * arithmetic per job and never per task.
 *
 * @param most an upper bound over all rooms, by amount; larger needs are rejected at once
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
    long gpuMemory = 0;
    for (var room : rooms) {
      var amounts = room.free.amounts();
      cpu = Math.max(cpu, amounts.cpuMillis());
      memory = Math.max(memory, amounts.memoryBytes());
      gpu = Math.max(gpu, amounts.gpuMillis());
      tpu = Math.max(tpu, amounts.tpuChips());
      gpuMemory = Math.max(gpuMemory, amounts.gpuMemoryBytes());
    }
    return new Resources(cpu, memory, gpu, tpu, gpuMemory);
  }

  /** In the order in which rooms are filled. */
  public enum Use {
    BUSY,
    IDLE,
    /** Idle for so long that it is drained unless a job needs it. */
    SPARE,
    IN_FLIGHT
  }

  /**
   * A worker's place.
   *
   * @param worker its name if a job names it or it is kept for a job; else empty
   * @param nominee the uid of the job that a new machine serves first; else empty
   */
  public record At(
      String pool, String zone, String worker, Map<String, String> labels, String nominee) {
    Site site() {
      return new Site(pool, zone);
    }
  }

  /** One zone of one pool, which holds all workers of a gang. */
  public record Site(String pool, String zone) {}

  /**
   * {@code count} workers of one place with equal free resources.
   *
   * @param slice whether each has several hosts; {@code free} is then per host
   */
  public record Room(At at, FreeResources free, Use use, long count, boolean slice) {
    private Room left(FreeResources next, long n) {
      return new Room(at, slice ? FreeResources.of(Resources.ZERO) : next, Use.BUSY, n, slice);
    }

    private Room same(long n) {
      return new Room(at, free, use, n, slice);
    }

    /** How many tasks fit on one worker. A slice of several hosts runs one task on all of them. */
    long slots(Resources need) {
      var fits = free.slots(need);
      return slice ? Math.min(1, fits) : fits;
    }
  }

  /**
   * @param capacity the remaining capacity
   * @param filled how many tasks found room
   * @param taken where they found it
   */
  public record Allocation(ClusterCapacity capacity, long filled, List<Taken> taken) {
    public static Allocation none(ClusterCapacity capacity) {
      return new Allocation(capacity, 0, List.of());
    }
  }

  /** Room for some tasks on like workers of one place. */
  public record Taken(At at, Use use, long tasks) {}

  private ClusterCapacity withRooms(List<Room> next) {
    return new ClusterCapacity(next, keepers);
  }

  /** This capacity with exactly these workers kept. */
  public ClusterCapacity keeping(Map<String, JobDemand> next) {
    return new ClusterCapacity(rooms, most, next);
  }

  /** Places up to {@code tasks} tasks of the job, first room to last. */
  public Allocation take(JobDemand job, long tasks) {
    return take(job, tasks, _ -> true);
  }

  /** The same on workers that serve jobs in the order of the queue. */
  public Allocation takeInTurn(JobDemand job, long tasks) {
    return take(job, tasks, at -> at.nominee.isEmpty());
  }

  /** The same on new machines that serve one of these jobs first. */
  public Allocation takeNew(JobDemand job, long tasks, Set<String> nominees) {
    return take(job, tasks, at -> nominees.contains(at.nominee));
  }

  /** This capacity with the machines that serve one of these jobs first last, in their order. */
  public ClusterCapacity inOrderOf(List<String> nominees) {
    var places = new HashMap<String, Integer>();
    for (var nominee : nominees) places.putIfAbsent(nominee, places.size());
    var sorted = new ArrayList<>(rooms);
    sorted.sort(Comparator.comparing(room -> places.getOrDefault(room.at.nominee, -1)));
    return withRooms(sorted);
  }

  private Allocation take(JobDemand job, long tasks, Predicate<At> where) {
    if (tasks <= 0 || !most.covers(job.need())) return Allocation.none(this);
    var next = new ArrayList<Room>(rooms.size() + 2);
    var taken = new ArrayList<Taken>();
    var open = tasks;
    for (var room : rooms) {
      var slots = open > 0 ? room.slots(job.need()) : 0;
      if (slots == 0 || !where.test(room.at) || !mayUse(job, room)) {
        next.add(room);
        continue;
      }
      var filled = fill(room, slots, open, job.need(), next);
      taken.add(new Taken(room.at, room.use, filled));
      open -= filled;
    }
    return taken.isEmpty()
        ? Allocation.none(this)
        : new Allocation(withRooms(next), tasks - open, taken);
  }

  private boolean mayUse(JobDemand job, Room room) {
    var placement = job.place();
    var at = room.at;
    return (!room.slice || placement.allowsSlices(job.need()))
        && placement.allowsPool(at.pool)
        && placement.allowsZone(at.zone)
        && placement.allowsLabels(at.labels)
        && (placement.allowsLaunches() || placement.workers().contains(at.worker))
        && isFor(job, at);
  }

  /** Whether the job may use the worker: it is not kept for another job with precedence. */
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
   * This capacity without one free worker of the place; empty if earlier jobs have taken them all,
   * or if it is kept for another job.
   *
   * @param coming whether the worker is in flight
   */
  public Optional<ClusterCapacity> without(JobDemand job, At at, boolean coming) {
    for (var i = 0; i < rooms.size(); i++) {
      var room = rooms.get(i);
      if (!isFree(room, coming) || !room.at.equals(at) || !isFor(job, at)) continue;
      var next = new ArrayList<>(rooms);
      if (room.count == 1) next.remove(i);
      else next.set(i, room.same(room.count - 1));
      return Optional.of(withRooms(next));
    }
    return Optional.empty();
  }

  private static boolean isFree(Room room, boolean coming) {
    return room.use != Use.BUSY && (room.use == Use.IN_FLIGHT) == coming;
  }

  public ClusterCapacity plus(Room room) {
    var next = new ArrayList<>(rooms);
    next.add(room);
    return withRooms(next);
  }

  /** How many workers of the place with this use were not taken. */
  public long untaken(At at, Use use) {
    return rooms.stream().filter(r -> r.use == use && r.at.equals(at)).mapToLong(Room::count).sum();
  }
}
