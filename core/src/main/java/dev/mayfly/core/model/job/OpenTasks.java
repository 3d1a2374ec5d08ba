package dev.mayfly.core.model.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Until when an open job takes tasks.
 *
 * @param until when it closes in any case
 * @param additions messages that have added tasks
 * @param idleSince when it was seen with no task waiting or running; empty once one was added
 * @param closed once it takes no more
 */
public record OpenTasks(
    Instant until, long additions, Optional<Instant> idleSince, Optional<Closing> closed) {
  /** How long additions that were published before the close are waited for. */
  public static final Duration LATE = Duration.ofMinutes(2);

  /**
   * The close of a job.
   *
   * @param at when it was published; what was published before is still taken
   * @param additions how many the job has, as far as who closed it knows
   */
  public record Closing(Instant at, Optional<Long> additions, String by) {}

  public static OpenTasks until(Instant until) {
    return new OpenTasks(until, 0, Optional.empty(), Optional.empty());
  }

  public OpenTasks added() {
    return new OpenTasks(until, additions + 1, Optional.empty(), closed);
  }

  public OpenTasks idle(Instant since) {
    return new OpenTasks(until, additions, Optional.of(since), closed);
  }

  public OpenTasks close(Closing closing) {
    return new OpenTasks(until, additions, idleSince, Optional.of(closing));
  }

  /** Whether the job must not end yet, though all of its tasks have. */
  public boolean awaitsMore(Instant now) {
    if (closed.isEmpty()) return true;
    var missing = closed.get().additions().filter(n -> n > additions).isPresent();
    return missing && now.isBefore(closed.get().at().plus(LATE));
  }

  /** Whether tasks that were published then may be added. */
  public boolean takes(Instant publishedAt) {
    return closed.isEmpty() || publishedAt.isBefore(closed.get().at());
  }
}
