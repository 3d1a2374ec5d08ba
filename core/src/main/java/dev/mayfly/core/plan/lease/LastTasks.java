package dev.mayfly.core.plan.lease;

import dev.mayfly.core.plan.lease.ShardAssignment.Candidate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which machines get the last tasks of a job: spread over all machines, they would keep each of
 * them. Where there are fewer tasks than free places, they go to few machines; where there are
 * hardly more, no machine holds more than it starts now, so that those of the second round go to
 * few machines.
 *
 * <p><b>Must:</b> have every task start at once that could.
 *
 * <p><b>Goals</b>, first to last: machines that have other work, and so stay; few others; the
 * smallest room that is enough, so that the larger one is left whole.
 */
public final class LastTasks {
  /** So many that the last ones are far away. */
  public static final long MANY = Long.MAX_VALUE / 2;

  private static final int ROUNDS = 2;

  private LastTasks() {}

  /**
   * A machine.
   *
   * @param slots tasks that it can start now
   * @param busy whether it has other work
   */
  public record Place(Candidate candidate, long slots, boolean busy) {
    private long takes() {
      return Math.min(slots, candidate.want());
    }

    /** It gets no whole shard for being idle. */
    private Candidate holdingNoMore() {
      return new Candidate(candidate.worker(), candidate.want(), false, candidate.exact());
    }

    private Candidate taking(long tasks) {
      return new Candidate(candidate.worker(), tasks, candidate.idle(), true);
    }
  }

  /**
   * The candidates that get the tasks; those as they are for which the last ones are farther away.
   *
   * @param largest how many are together at most: as many as one machine would get in all
   */
  public static List<Candidate> on(List<Place> places, long tasks, long largest) {
    var room = places.stream().mapToLong(Place::takes).sum();
    if (room <= tasks)
      return places.stream()
          .map(it ->
              areNear(room, tasks) || areNear(it.takes(), largest)
                  ? it.holdingNoMore()
                  : it.candidate())
          .toList();
    var left = new ArrayList<>(places.stream().filter(place -> place.takes() > 0).toList());
    left.sort(Comparator.comparing((Place place) -> !place.busy()).thenComparing(Place::takes));
    var chosen = new ArrayList<Candidate>();
    for (var rest = tasks; rest > 0; ) {
      var next = next(left, rest);
      left.remove(next);
      var taken = Math.min(rest, next.takes());
      chosen.add(next.taking(taken));
      rest -= taken;
    }
    return chosen;
  }

  /** Whether so many tasks are hardly more than have room at once. */
  public static boolean areNear(long room, long tasks) {
    return tasks < ROUNDS * room;
  }

  /** Of machines with other work the fullest; else the fullest that takes all, or the emptiest. */
  private static Place next(List<Place> left, long rest) {
    if (left.getFirst().busy()) return left.getFirst();
    return left.stream()
        .filter(place -> place.takes() >= rest)
        .findFirst()
        .orElseGet(left::getLast);
  }
}
