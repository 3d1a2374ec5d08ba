package dev.mayfly.core.plan.veto;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a job waits for that comes by itself: it has its place already. */
public sealed interface ComingVeto extends Veto {
  /**
   * Ready workers have room, and take tasks when they report next.
   *
   * @param workers some of them, the one that is due first before the others
   * @param due when that is
   */
  record NextReport(List<String> workers, Optional<Instant> due) implements ComingVeto {
    public NextReport {
      workers = List.copyOf(workers);
    }
  }

  /** Enough machines are free for a task that takes several; the next pass gives it to them. */
  record GangForms(List<String> workers) implements ComingVeto {
    public GangForms {
      workers = List.copyOf(workers);
    }
  }

  /**
   * Machines are being created.
   *
   * @param since when the first of them was ordered
   * @param usual how long that took for the pool's ready machines
   */
  record Booting(String pool, int machines, Instant since, Optional<Duration> usual)
      implements ComingVeto {}

  /**
   * Machines were ordered long ago and have not reported.
   *
   * @param worker the one that was ordered first
   * @param started whether the cloud runs it
   * @param since when it was ordered
   * @param usual how long others of the pool took
   * @param until when it is given up
   * @param next the zone where the next one is ordered; empty if it is the same one, after a pause
   */
  record Late(
      String worker,
      int machines,
      String pool,
      String zone,
      boolean started,
      Instant since,
      Optional<Duration> usual,
      Instant until,
      Optional<String> next)
      implements ComingVeto {}

  /**
   * Some hosts of a slice have reported, and others have not.
   *
   * @param since when the first one did
   * @param until how long the others are awaited
   */
  record HostsAwaited(String worker, int hosts, List<Integer> missing, Instant since, Instant until)
      implements ComingVeto {
    public HostsAwaited {
      missing = List.copyOf(missing);
    }
  }

  /**
   * The cloud keeps orders until it has room.
   *
   * @param since when the first of them was queued
   * @param state the cloud's own word
   */
  record Queued(String pool, int machines, Instant since, String state) implements ComingVeto {}

  /**
   * The cloud keeps requests for machines that start flexibly.
   *
   * @param since when the first of them was made
   * @param until when that one ends, if the cloud has no machine before
   */
  record Requested(String pool, int machines, Instant since, Instant until) implements ComingVeto {}

  /**
   * Machines are ordered, and the cloud takes no order now; they are ordered again.
   *
   * @param since when the first of them was ordered
   * @param said the cloud's answer
   */
  record OrderDelayed(String pool, int machines, Instant since, String said)
      implements ComingVeto {}

  /**
   * Workers pull an image or mount file systems.
   *
   * @param what they do, by their own words
   */
  record Preparing(List<String> workers, String what) implements ComingVeto {
    public Preparing {
      workers = List.copyOf(workers);
    }
  }

  /**
   * Running tasks of a lower priority end for it.
   *
   * @param ending by job
   * @param until when the last of them ends at the latest; empty while their agents are not told
   */
  record RoomMade(List<Ending> ending, Optional<Instant> until) implements ComingVeto {
    public RoomMade {
      ending = List.copyOf(ending);
    }
  }

  /**
   * Some tasks of one job that end.
   *
   * @param job its address
   */
  record Ending(String job, List<Long> tasks) {
    public Ending {
      tasks = List.copyOf(tasks);
    }
  }

  /**
   * The machines that are there are done with the tasks that wait before another could be ready.
   *
   * @param tasks those that wait, of the job and of others that share its places
   * @param machines where they run, and those on their way
   * @param about in how long they are done
   * @param usual how long a machine of the pool takes from its order
   */
  record DoneSooner(long tasks, int machines, Duration about, Duration usual)
      implements ComingVeto {}

  /** Machines are ordered with the next pass. */
  record Ordering(String pool, String zone, long machines) implements ComingVeto {}
}
