package dev.mayfly.core.state;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import java.time.Duration;

/**
 * The times that the control plane goes by. The defaults are those of the protocol; tests and the
 * demo use shorter ones.
 *
 * @param beat how often an agent without news speaks
 * @param maxWait how long a call is kept waiting at most
 * @param silentAfter past its due time, from when on a worker is silent
 * @param lostAfter served silence that loses a worker while at least half of the others speak
 * @param lostAlone served silence that loses a worker in any case
 * @param instanceGone a function instance that gave no sign of life for so long takes no calls
 * @param stallPatience for how much served time one that may take calls, and gives no sign of life,
 *     excuses silence
 * @param judgeEvery the least time between two judge passes of one instance; a part of lostAfter,
 *     so that a pass comes when a silence has lasted long enough
 * @param servedGap an interval that ended longer ago than this is not extended
 * @param servedKept how much of the past is kept
 * @param bootDeadline from the order to the first sync
 * @param drainDeadline from the order to drain to the kill
 * @param downDeadline the same, when the whole cluster goes
 * @param noticeDeadline from the cloud's notice to when the machine is given up
 * @param orphanGrace the age from which on a machine without a document is deleted
 * @param checkpointAfter how long done bits may stay unwritten
 * @param checkpointShare of a shard: progress that is written sooner
 * @param jobFresh how old a job document may be when a lease is granted
 * @param workerFresh how old a worker document may be in a cache
 * @param stealPause the least time between two looks for something to steal
 * @param stealRest a shard that should end within this is left alone
 * @param roundPause the least time between two rounds of one cluster
 * @param goneKept how long the document of a worker that is gone is kept
 */
public record Timings(
    Duration beat,
    Duration maxWait,
    Duration silentAfter,
    Duration lostAfter,
    Duration lostAlone,
    Duration instanceGone,
    Duration stallPatience,
    Duration judgeEvery,
    Duration servedGap,
    Duration servedKept,
    Duration bootDeadline,
    Duration drainDeadline,
    Duration downDeadline,
    Duration noticeDeadline,
    Duration orphanGrace,
    Duration checkpointAfter,
    double checkpointShare,
    Duration jobFresh,
    Duration workerFresh,
    Duration stealPause,
    Duration stealRest,
    Duration roundPause,
    Duration goneKept) {
  public static final Timings DEFAULT =
      new Timings(
          ofSeconds(10),
          ofSeconds(25),
          ofSeconds(5),
          ofSeconds(12),
          ofSeconds(120),
          ofMinutes(3),
          ofSeconds(60),
          ofSeconds(4),
          ofSeconds(15),
          ofMinutes(10),
          ofMinutes(10),
          ofMinutes(5),
          ofSeconds(30),
          ofSeconds(40),
          ofMinutes(10),
          ofMinutes(10),
          0.05,
          ofSeconds(5),
          ofSeconds(120),
          ofSeconds(10),
          ofSeconds(20),
          ofSeconds(2),
          ofHours(24));

  /** Pulses and beats go out at most this often from one instance. */
  public static final Duration GROUP = ofMillis(1_000);
}
