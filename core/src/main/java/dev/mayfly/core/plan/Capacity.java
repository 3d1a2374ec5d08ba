package dev.mayfly.core.plan;

import dev.mayfly.core.model.Place;
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

  /** {@code count} workers of one place, each with so much free. */
  record Room(At at, Resources free, Use use, long count) {
    private Room left(Resources next, long n) {
      return new Room(at, next, Use.BUSY, n);
    }

    private Room same(long n) {
      return new Room(at, free, use, n);
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
      var slots = open > 0 && mayUse(job.place(), room.at) ? room.free.slots(job.need()) : 0;
      if (slots == 0) next.add(room);
      else open -= fill(room, slots, open, job.need(), next);
    }
    return open == tasks ? new Taken(this, 0) : new Taken(new Capacity(next), tasks - open);
  }

  private static boolean mayUse(Place place, At at) {
    return place.pool(at.pool)
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
