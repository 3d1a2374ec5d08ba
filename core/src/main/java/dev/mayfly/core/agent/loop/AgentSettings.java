package dev.mayfly.core.agent.loop;

import java.time.Duration;

/**
 * The agent's times and limits. Tests use short ones.
 *
 * @param host its index in a slice; 0 for a machine of its own
 * @param ahead how much work of short tasks it leases ahead
 * @param clockSlack by how much the two clocks may disagree over a task's time
 * @param noticeGrace the longest grace for tasks after a preemption notice or a stop request; a
 *     job's own grace applies if it is shorter. See {@link #graceWithin}
 * @param killAgain when an unconfirmed kill is repeated
 * @param storeRetry the longest pause between two tries with the object store
 * @param address where the other hosts of a gang reach this one
 * @param publishing no task starts while this many are publishing
 */
public record AgentSettings(
    int host,
    Syncing sync,
    Silence silence,
    Duration ahead,
    Duration clockSlack,
    Duration noticeGrace,
    Duration killAgain,
    Duration storeRetry,
    int publishing,
    String address) {
  /** Google Cloud takes a spot machine 30 s after the notice. */
  public static final Duration NOTICE = Duration.ofSeconds(30);

  /**
   * How long the last checkpoints may take after a drain's deadline; the machine stays for {@link
   * dev.mayfly.core.model.Timings#storeTime}, also for the logs.
   */
  public static final Duration CHECKPOINT_TIME = Duration.ofSeconds(30);

  private static final Duration PUBLISHING = Duration.ofSeconds(5);

  public static final AgentSettings DEFAULT =
      new AgentSettings(
          0,
          Syncing.DEFAULT,
          Silence.DEFAULT,
          Duration.ofSeconds(2),
          Duration.ofSeconds(5),
          graceWithin(NOTICE),
          Duration.ofSeconds(10),
          Duration.ofSeconds(15),
          256,
          "");

  /**
   * The part of a preemption notice that tasks may use: all but five seconds, or but a sixth of a
   * shorter notice. The rest is for uploading logs and results.
   */
  public static Duration graceWithin(Duration notice) {
    var publishing = notice.dividedBy(6);
    return notice.minus(publishing.compareTo(PUBLISHING) < 0 ? publishing : PUBLISHING);
  }

  /**
   * When the agent syncs.
   *
   * @param syncInterval the interval when there is nothing to report
   * @param report the interval while tasks end
   * @param gap the least time between two syncs
   * @param settle how long a change is held back when more will follow at once
   * @param waiting the longest wait of a pending sync; 25 s at most
   * @param limit how long an answer may take beyond that; no longer than a worker may be late
   *     before it counts as silent
   * @param retryFirst the longest pause after the first failure; doubles with each
   * @param retryWithLeases the longest pause between failures while it holds leases
   * @param retryIdle the longest pause without leases; no longer than the silence after which a
   *     worker is lost, or idle workers are lost when the control plane comes back
   */
  public record Syncing(
      Duration syncInterval,
      Duration report,
      Duration gap,
      Duration settle,
      Duration waiting,
      Duration limit,
      Duration retryFirst,
      Duration retryWithLeases,
      Duration retryIdle) {
    public static final Syncing DEFAULT =
        new Syncing(
            Duration.ofSeconds(10),
            Duration.ofSeconds(1),
            Duration.ofMillis(25),
            Duration.ofMillis(50),
            Duration.ofSeconds(25),
            Duration.ofSeconds(5),
            Duration.ofMillis(250),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5));

    public Syncing {
      if (waiting.compareTo(Duration.ofSeconds(25)) > 0)
        throw new IllegalArgumentException(
            "waiting is " + waiting + "; a call is kept waiting for 25 s at most");
    }

    /** The longest wait of a pending sync while there is work to lose. */
    public Duration busyWaiting() {
      return waiting.compareTo(syncInterval) < 0 ? waiting : syncInterval;
    }
  }

  /**
   * What the agent does in a partition.
   *
   * @param cutOff its cut-off while it holds no lease; each job has its own
   * @param powerOffAfter from the cut-off to powering the machine off
   */
  public record Silence(Duration cutOff, Duration powerOffAfter) {
    public static final Silence DEFAULT =
        new Silence(Duration.ofMinutes(15), Duration.ofMinutes(15));
  }

  /** For one host of a slice. */
  public AgentSettings forHost(int index, String where) {
    return new AgentSettings(
        index,
        sync,
        silence,
        ahead,
        clockSlack,
        noticeGrace,
        killAgain,
        storeRetry,
        publishing,
        where);
  }

  public AgentSettings with(Syncing other) {
    return new AgentSettings(
        host,
        other,
        silence,
        ahead,
        clockSlack,
        noticeGrace,
        killAgain,
        storeRetry,
        publishing,
        address);
  }

  public AgentSettings with(Silence other) {
    return new AgentSettings(
        host,
        sync,
        other,
        ahead,
        clockSlack,
        noticeGrace,
        killAgain,
        storeRetry,
        publishing,
        address);
  }
}
