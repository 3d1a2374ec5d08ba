package dev.mayfly.core.model.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When work moves to on-demand machines, in pools that allow it.
 *
 * @param preemptions after this many infrastructure failures, a task no longer runs on spot
 *     machines; 0 means never
 * @param deadline time from submission until the whole job must be done
 * @param before how long before the deadline on-demand machines are launched for the job
 */
public record OnDemandRules(int preemptions, Optional<Duration> deadline, Duration before) {
  public static final OnDemandRules NEVER = new OnDemandRules(0, Optional.empty(), Duration.ZERO);

  public boolean asked() {
    return preemptions > 0 || deadline.isPresent();
  }

  /**
   * How long before a deadline, where a job does not say it: half of the time is left then, and
   * what spot machines have not done by then they may well not do in the rest.
   */
  public static Duration usuallyBefore(Duration deadline) {
    return deadline.dividedBy(2);
  }

  /** From when on the whole job is urgent; empty if never. */
  public Optional<Instant> urgentFrom(Instant submittedAt) {
    return deadline.map(d -> submittedAt.plus(d).minus(before));
  }
}
