package dev.mayfly.core.plan.model;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.job.Placement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one running job still asks for.
 *
 * @param need what one task takes
 * @param place where it may run
 * @param ready open tasks that nobody holds
 * @param leased open tasks that workers hold, running or not
 * @param standing what decides who gives way to whom
 * @param urgency what of it is not for spot machines
 * @param gang how many workers of one pool and zone run each task together; 1: each for itself
 * @param waiting since when it waits, and with what
 */
public record JobDemand(
    String job,
    String name,
    Resources need,
    Placement place,
    long ready,
    long leased,
    Standing standing,
    Urgency urgency,
    int gang,
    Waiting waiting) {
  /**
   * @param owner empty if nobody said
   * @param exclusive whether its tasks must not run twice, so that nothing leased is taken back
   */
  public record Standing(String owner, int priority, boolean exclusive) {}

  /**
   * @param spent of the ready tasks, those that are for no spot machine any more
   * @param preemptions after how many attempts they are
   * @param deadline of all of it, if it is so near that machines are bought on demand
   */
  public record Urgency(long spent, int preemptions, Optional<Instant> deadline) {
    public static final Urgency NONE = new Urgency(0, 0, Optional.empty());
  }

  /**
   * @param since when it was submitted
   * @param kept workers that the last plan kept for it
   * @param longest how long one of its tasks runs at most; for ever if nobody said
   */
  public record Waiting(Instant since, List<String> kept, Optional<Duration> longest) {
    public static final Waiting NEW = new Waiting(Instant.EPOCH, List.of(), Optional.empty());

    public Waiting {
      kept = List.copyOf(kept);
    }
  }

  /** One for which nothing was kept. */
  public JobDemand(
      String job,
      String name,
      Resources need,
      Placement place,
      long ready,
      long leased,
      Standing standing,
      Urgency urgency,
      int gang) {
    this(job, name, need, place, ready, leased, standing, urgency, gang, Waiting.NEW);
  }

  /** Of a job that runs on whatever machines there are. */
  public JobDemand(
      String job,
      String name,
      Resources need,
      Placement place,
      long ready,
      long leased,
      Standing standing) {
    this(job, name, need, place, ready, leased, standing, Urgency.NONE, 1);
  }

  /** The same, for n workers a task. */
  public JobDemand together(int n) {
    return new JobDemand(job, name, need, place, ready, leased, standing, urgency, n, waiting);
  }

  public JobDemand at(Placement other) {
    return new JobDemand(job, name, need, other, ready, leased, standing, urgency, gang, waiting);
  }

  public JobDemand waiting(Waiting other) {
    return new JobDemand(job, name, need, place, ready, leased, standing, urgency, gang, other);
  }

  /** Nobody's, with the priority that is usual. */
  public JobDemand(
      String job, String name, Resources need, Placement place, long ready, long leased) {
    this(job, name, need, place, ready, leased, new Standing("", 50, false));
  }
}
