package dev.mayfly.core.agent.loop;

import java.time.Duration;

/**
 * The agent's times and limits. Tests use short ones.
 *
 * @param host its index in a slice; 0 for a machine of its own
 * @param ahead how much work of short tasks it leases ahead
 * @param clockSlack by how much the two clocks may disagree over a task's time
 * @param noticeGrace for how long tasks may clean up after a preemption notice, or when this
 *     process is to end; a job's own grace where that is shorter. See {@link #graceWithin}
 * @param killAgain when a kill that nobody confirmed is asked for again
 * @param storeRetry the longest pause between two tries of anything with the object store
 * @param address where the other hosts of a gang reach this one
 * @param publishing how many tasks may be publishing until no more are started
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
  /** Google Cloud takes a spot machine 30 s after it said so. */
  public static final Duration NOTICE = Duration.ofSeconds(30);

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
   * What tasks have of a machine's notice: all but the five seconds that it takes to bring logs and
   * results into the store, or but a sixth of a shorter one.
   */
  public static Duration graceWithin(Duration notice) {
    var publishing = notice.dividedBy(6);
    return notice.minus(publishing.compareTo(PUBLISHING) < 0 ? publishing : PUBLISHING);
  }

  /**
   * When it syncs.
   *
   * @param beat how often when there is nothing to tell
   * @param report how often while tasks end
   * @param gap the least time between two syncs, whatever happens
   * @param settle for how long news is kept back when more will follow at once
   * @param waiting for how long a sync may be kept waiting; 25 s at most
   * @param limit how long an answer may take beyond that; no longer than a worker may be late
   *     before it counts as silent
   * @param retryFirst the longest pause after the first failure; doubles with each
   * @param retryWithLeases the longest pause between failures while it holds leases
   * @param retryIdle the longest pause without; no longer than silence that loses a worker, or
   *     whoever is idle is lost when the control plane comes back
   */
  public record Syncing(
      Duration beat,
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

    /** For how long a sync may be kept waiting while there is work to lose. */
    public Duration busyWaiting() {
      return waiting.compareTo(beat) < 0 ? waiting : beat;
    }
  }

  /**
   * What it does when it reaches nobody.
   *
   * @param cutOff after how long it counts as cut off when it holds nothing; a job has its own
   * @param powerOffAfter from being cut off to switching the machine off
   */
  public record Silence(Duration cutOff, Duration powerOffAfter) {
    public static final Silence DEFAULT =
        new Silence(Duration.ofMinutes(15), Duration.ofMinutes(15));
  }

  /** Of one host of several. */
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
