package dev.mayfly.core.plan.model;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.job.JobAddress;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.worker.LaunchedFor;
import dev.mayfly.core.plan.share.FairShareRule;
import dev.mayfly.core.plan.veto.JobVeto;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The demand of one running job.
 *
 * @param need of one task
 * @param place where it may run
 * @param ready open tasks without a lease
 * @param leased open tasks with a lease, running or not
 * @param standing what decides lease preemption
 * @param urgency which tasks need other machines than spot
 * @param gang how many workers of one pool and zone run each task together; 1 for single tasks
 * @param waiting since when it waits, and with which workers
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
   * @param owner empty if not given
   * @param exclusive whether its tasks must not run twice, so that leases are never preempted
   * @param concurrency how many of its tasks may be leased at once; 0 is no limit
   */
  public record Standing(String owner, int priority, boolean exclusive, int concurrency) {}

  /**
   * @param spent the ready tasks that must not run on spot machines any more
   * @param preemptions after how many attempts they count as spent
   * @param deadline of the whole job, if it is near enough to launch machines on demand
   */
  public record Urgency(long spent, int preemptions, Optional<Instant> deadline) {
    public static final Urgency NONE = new Urgency(0, 0, Optional.empty());
  }

  /**
   * @param since when it was submitted
   * @param kept workers that the last plan kept for it
   * @param longest the longest run time of one of its tasks; unlimited if empty
   * @param crashLoop if its tasks fail alike and none has succeeded
   * @param taskTime what one of its tasks takes
   */
  public record Waiting(
      Instant since,
      List<String> kept,
      Optional<Duration> longest,
      Optional<JobVeto.CrashLoop> crashLoop,
      TaskTime taskTime) {
    public static final Waiting NEW = new Waiting(Instant.EPOCH, List.of(), Optional.empty());

    public Waiting(Instant since, List<String> kept, Optional<Duration> longest) {
      this(since, kept, longest, Optional.empty(), TaskTime.NEVER);
    }

    public Waiting {
      kept = List.copyOf(kept);
    }
  }

  /** A copy with {@code n} workers per task. */
  public JobDemand together(int n) {
    return new JobDemand(job, name, need, place, ready, leased, standing, urgency, n, waiting);
  }

  /**
   * For machines that are launched for it.
   *
   * @param first whether they serve it before other jobs
   */
  public LaunchedFor launchedFor(boolean first) {
    return new LaunchedFor(name, owner(), Optional.of(job).filter(_ -> first));
  }

  /** What one of its tasks counts of the shares of its owner. */
  public double part(FairShareRule rule) {
    return rule.part(job, need, place, gang);
  }

  /** What commands call the job. */
  public String address() {
    return JobAddress.of(owner(), name);
  }

  private Optional<String> owner() {
    return Optional.of(standing.owner()).filter(owner -> !owner.isEmpty());
  }

  public JobDemand withReady(long n) {
    return new JobDemand(job, name, need, place, n, leased, standing, urgency, gang, waiting);
  }

  public JobDemand at(Placement other) {
    return new JobDemand(job, name, need, other, ready, leased, standing, urgency, gang, waiting);
  }

  public JobDemand waiting(Waiting other) {
    return new JobDemand(job, name, need, place, ready, leased, standing, urgency, gang, other);
  }

  /** A copy of which is known what a task takes. */
  public JobDemand taking(TaskTime time) {
    return waiting(
        new Waiting(waiting.since, waiting.kept, waiting.longest, waiting.crashLoop, time));
  }
}
