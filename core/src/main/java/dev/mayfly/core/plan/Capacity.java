package dev.mayfly.core.plan;

import dev.mayfly.core.model.Resources;
import java.util.ArrayList;
import java.util.List;

/**
 * Room on workers, as a value: like workers are one row, so that a plan costs arithmetic for each
 * job and never for each task.
 */
record Capacity(List<Room> rooms) {
  Capacity {
    rooms = List.copyOf(rooms);
  }

  /** In the order in which they are filled. */
  enum Use {
    BUSY,
    IDLE,
    /** Idle for so long that it is drained unless somebody needs it. */
    SPARE,
    IN_FLIGHT
  }

  /**
   * Where a worker is.
   *
   * @param worker its name if a job may run on named workers alone and names it, else empty
   */
  record At(String pool, String zone, String worker) {}

  /**
   * {@code count} workers of one place, each with so much free.
   *
   * @param slice whether each has several hosts; {@code free} is then what one host has
   */
  record Room(At at, Resources free, Use use, long count, boolean slice) {
    Room(At at, Resources free, Use use, long count) {
      this(at, free, use, count, false);
    }

    private Room left(Resources next, long n) {
      return new Room(at, slice ? Resources.ZERO : next, Use.BUSY, n, slice);
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
  record Taken(Capacity capacity, long filled) {}

  /** Puts up to {@code tasks} tasks of the job into the rooms, first to last. */
  Taken take(Demand job, long tasks) {
    if (tasks <= 0) return new Taken(this, 0);
    var next = new ArrayList<Room>(rooms.size() + 2);
    var open = tasks;
    for (var room : rooms) {
      var slots = open > 0 && mayUse(job, room) ? room.slots(job.need()) : 0;
      if (slots == 0) next.add(room);
      else open -= fill(room, slots, open, job.need(), next);
    }
    return open == tasks ? new Taken(this, 0) : new Taken(new Capacity(next), tasks - open);
  }

  private static boolean mayUse(Demand job, Room room) {
    var place = job.place();
    var at = room.at;
    return (!room.slice || place.slices(job.need()))
        && place.pool(at.pool)
        && place.zone(at.zone)
        && (place.launches() || place.workers().contains(at.worker));
  }

  private static long fill(Room room, long slots, long open, Resources need, List<Room> out) {
    var full = Math.min(room.count, open / slots);
    var rest = full < room.count ? open - full * slots : 0;
    if (full > 0) out.add(room.left(room.free.minus(need.times(slots)), full));
    if (rest > 0) out.add(room.left(room.free.minus(need.times(rest)), 1));
    var whole = room.count - full - (rest > 0 ? 1 : 0);
    if (whole > 0) out.add(room.same(whole));
    return full * slots + rest;
  }

  /** Without so many workers of the pool that have nothing to do, those that wait first. */
  Capacity without(String pool, long workers) {
    var next = new ArrayList<Room>(rooms.size());
    var rest = workers;
    for (var room : rooms) {
      var n = room.use != Use.BUSY && room.at.pool.equals(pool) ? Math.min(rest, room.count) : 0;
      rest -= n;
      if (room.count > n) next.add(room.same(room.count - n));
    }
    return rest == workers ? this : new Capacity(next);
  }

  Capacity plus(Room room) {
    var next = new ArrayList<>(rooms);
    next.add(room);
    return new Capacity(next);
  }

  /** How many workers of the place are to spare and were not taken. */
  long spare(At at) {
    return rooms.stream()
        .filter(r -> r.use == Use.SPARE && r.at.equals(at))
        .mapToLong(Room::count)
        .sum();
  }
}
