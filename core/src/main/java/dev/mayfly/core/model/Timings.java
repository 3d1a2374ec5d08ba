package dev.mayfly.core.model;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import java.time.Duration;

/**
 * The control plane's times. Every deployment uses the defaults, which are the protocol's.
 *
 * @param syncInterval how often an agent without changes syncs
 * @param maxWait how long a sync is kept pending at most
 * @param silentAfter time past its due time after which a worker is silent
 * @param lostAfter served silence after which a worker is lost while at least half of the others
 *     report
 * @param lostRegardless served silence after which a worker is lost in any case
 * @param hostsAwaited how long the other hosts of a slice are awaited after the first one's report
 * @param instanceGone time without a sign of life after which an instance takes no syncs
 * @param stallPatience for how much served time an instance that may take syncs but gives no sign
 *     of life excuses silence
 * @param livenessInterval the least time between two liveness passes of one instance; a part of
 *     lostAfter, so that a pass runs when a silence has lasted long enough
 * @param servedGap an interval that ended longer ago than this is not extended
 * @param servedKept how long served intervals are kept
 * @param bootDeadline from the order to the first sync
 * @param drainDeadline from the drain order to the kill
 * @param downDeadline the same when the whole cluster is taken down
 * @param storeTime from the kill of a drain until the machine is given up: for the last checkpoints
 *     and logs
 * @param noticeDeadline from the cloud's notice until the machine is given up
 * @param orphanGrace the age from which a machine without a document is deleted
 * @param checkpointAfter how long done tasks may stay unrecorded
 * @param checkpointShare share of a shard from which progress is recorded sooner
 * @param jobFresh maximum age of a job document when a lease is granted
 * @param workerFresh maximum age of a cached worker document
 * @param stealPause the least time between two attempts to steal
 * @param stealRest a shard that should end within this time is left alone
 * @param reconcilePause the least time between two reconciles of one cluster
 * @param goneKept how long the document of a worker that is gone is kept
 */
public record Timings(
    Duration syncInterval,
    Duration maxWait,
    Duration silentAfter,
    Duration lostAfter,
    Duration lostRegardless,
    Duration hostsAwaited,
    Duration instanceGone,
    Duration stallPatience,
    Duration livenessInterval,
    Duration servedGap,
    Duration servedKept,
    Duration bootDeadline,
    Duration drainDeadline,
    Duration downDeadline,
    Duration storeTime,
    Duration noticeDeadline,
    Duration orphanGrace,
    Duration checkpointAfter,
    double checkpointShare,
    Duration jobFresh,
    Duration workerFresh,
    Duration stealPause,
    Duration stealRest,
    Duration reconcilePause,
    Duration goneKept) {
  public Timings {
    requireLess(
        "syncInterval", syncInterval, "silentAfter + lostAfter", silentAfter.plus(lostAfter));
    requireLess("livenessInterval", livenessInterval, "half of lostAfter", lostAfter.dividedBy(2));
    requireLess("livenessInterval", livenessInterval, "servedGap", servedGap);
    requireLess("lostAfter", lostAfter, "lostRegardless", lostRegardless);
    requireLess("lostRegardless", lostRegardless, "servedKept", servedKept);
    if (!(checkpointShare > 0 && checkpointShare < 1))
      throw new IllegalArgumentException(
          "checkpointShare is " + checkpointShare + "; it must be between 0 and 1");
  }

  /** The positions of two durations are easily confused, and some orders lose live workers. */
  private static void requireLess(String name, Duration less, String other, Duration more) {
    if (!less.isPositive() || less.compareTo(more) >= 0)
      throw new IllegalArgumentException(
          "%s is %s; it must be positive and less than %s (%s)".formatted(name, less, other, more));
  }

  public static final Timings DEFAULT =
      new Timings(
          /* syncInterval= */ ofSeconds(10),
          /* maxWait= */ ofSeconds(25),
          /* silentAfter= */ ofSeconds(5),
          /* lostAfter= */ ofSeconds(12),
          /* lostRegardless= */ ofSeconds(120),
          /* hostsAwaited= */ ofSeconds(120),
          /* instanceGone= */ ofMinutes(3),
          /* stallPatience= */ ofSeconds(60),
          /* livenessInterval= */ ofSeconds(4),
          /* servedGap= */ ofSeconds(15),
          /* servedKept= */ ofMinutes(10),
          /* bootDeadline= */ ofMinutes(10),
          /* drainDeadline= */ ofMinutes(5),
          /* downDeadline= */ ofSeconds(30),
          /* storeTime= */ ofSeconds(60),
          /* noticeDeadline= */ ofSeconds(40),
          /* orphanGrace= */ ofMinutes(10),
          /* checkpointAfter= */ ofMinutes(10),
          /* checkpointShare= */ 0.05,
          /* jobFresh= */ ofSeconds(5),
          /* workerFresh= */ ofSeconds(120),
          /* stealPause= */ ofSeconds(10),
          /* stealRest= */ ofSeconds(20),
          /* reconcilePause= */ ofSeconds(2),
          /* goneKept= */ ofHours(24));

  /** Shorter leases are not worth a write of what is done. */
  public static final Duration SHORTEST_CHECKPOINT_PAUSE = ofSeconds(5);

  private static final Duration LONGEST_CHECKPOINT_PAUSE = ofMinutes(2);

  /**
   * The least time between two writes of what is done of a lease, if that is enough of it: as long
   * as the lease had lasted at the write before, so that at most half of its progress is
   * unrecorded.
   */
  public static Duration checkpointPause(Duration lasted) {
    if (lasted.compareTo(SHORTEST_CHECKPOINT_PAUSE) < 0) return SHORTEST_CHECKPOINT_PAUSE;
    return lasted.compareTo(LONGEST_CHECKPOINT_PAUSE) < 0 ? lasted : LONGEST_CHECKPOINT_PAUSE;
  }

  /** The least time between two change signals, or two heartbeat writes, of one instance. */
  public static final Duration GROUP = ofMillis(1_000);
}
