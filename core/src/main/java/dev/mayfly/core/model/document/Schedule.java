package dev.mayfly.core.model.document;

import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.schedule.ScheduleDue;
import dev.mayfly.core.model.schedule.ScheduleRule;
import dev.mayfly.core.model.schedule.ScheduledRun;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code …/schedules/OWNER.NAME}, or {@code …/schedules/NAME} for one without an owner: a job that
 * is submitted again and again.
 *
 * @param spec of its jobs, whose names begin with its own
 * @param rule when it is due
 * @param state whether it is paused or deleted
 * @param lastCommandAt when the newest applied command about it was published; older ones change
 *     nothing
 * @param next when it is due; absent unless it is active
 * @param last what became of its newest time; absent before the first
 * @param job the uid of the newest job that it submitted; absent before the first
 * @param missed how many of its times came to nothing because nobody looked then
 */
public record Schedule(
    String cluster,
    JobSpec spec,
    ScheduleRule rule,
    State state,
    Instant lastCommandAt,
    Optional<Instant> next,
    Optional<ScheduledRun> last,
    Optional<String> job,
    long missed)
    implements LedgerDocument {
  /** A deleted one stays stored, so that a message that is older than its end changes nothing. */
  public enum State {
    ACTIVE,
    PAUSED,
    DELETED
  }

  /** One that has not run yet. */
  public Schedule(String cluster, JobSpec spec, ScheduleRule rule, Instant lastCommandAt) {
    this(
        cluster,
        spec,
        rule,
        State.ACTIVE,
        lastCommandAt,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0);
  }

  /** What commands call it: {@code OWNER/NAME}, or {@code NAME} without an owner. */
  public String address() {
    return spec.address();
  }

  /** What its events are about. */
  public String about() {
    return "schedule/" + address();
  }

  public boolean isDue(Instant now) {
    return state == State.ACTIVE && next.filter(at -> !at.isAfter(now)).isPresent();
  }

  /** What its cluster has to know of it; empty if nothing. */
  public Optional<ScheduleDue> due() {
    return state == State.DELETED ? Optional.empty() : Optional.of(new ScheduleDue(next));
  }

  /** With another job and other times, as a command asks; a paused one stays paused. */
  public Schedule replaced(JobSpec other, ScheduleRule times, Instant at) {
    var then = state == State.DELETED ? State.ACTIVE : state;
    return new Schedule(cluster, other, times, then, at, Optional.empty(), last, job, missed);
  }

  /** As a command of then says. */
  public Schedule changed(State then, Instant at) {
    return new Schedule(cluster, spec, rule, then, at, Optional.empty(), last, job, missed);
  }

  public Schedule dueAt(Instant time) {
    return new Schedule(
        cluster, spec, rule, state, lastCommandAt, Optional.of(time), last, job, missed);
  }

  /** After one of its times, of which {@code more} before it were missed. */
  public Schedule ran(ScheduledRun run, long more) {
    return new Schedule(
        cluster,
        spec,
        rule,
        state,
        lastCommandAt,
        next,
        Optional.of(run),
        run.outcome() == ScheduledRun.Outcome.SUBMITTED ? run.job() : job,
        missed + more);
  }

  @Override
  public DocumentKey.OfSchedule key() {
    return new DocumentKey.OfSchedule(cluster, spec.owner(), spec.name());
  }
}
