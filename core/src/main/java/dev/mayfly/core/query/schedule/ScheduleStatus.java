package dev.mayfly.core.query.schedule;

import dev.mayfly.core.model.job.JobAddress;
import dev.mayfly.core.model.schedule.ScheduleRule;
import java.time.Instant;
import java.util.Optional;

/**
 * A schedule as users see it.
 *
 * @param when it is due, in words
 * @param state {@code active} or {@code paused}
 * @param next when it is due; empty while it is paused
 * @param last what became of its newest time; empty before the first
 * @param missed how many of its times came to nothing because nobody looked then
 */
public record ScheduleStatus(
    String name,
    Optional<String> owner,
    String when,
    ScheduleRule rule,
    String state,
    Optional<Instant> next,
    Optional<Last> last,
    long missed) {
  /**
   * The newest time of a schedule.
   *
   * @param due when that was
   * @param outcome {@code submitted}, {@code skipped} or {@code refused}
   * @param job the name of its job
   * @param uid of its job; empty if there is none
   * @param state of its job, or its result once it has ended; empty if there is none any more
   * @param why there is no job
   */
  public record Last(
      Instant due,
      String outcome,
      String job,
      Optional<String> uid,
      Optional<String> state,
      Optional<String> why) {}

  /** What commands call it. */
  public String address() {
    return JobAddress.of(owner, name);
  }
}
