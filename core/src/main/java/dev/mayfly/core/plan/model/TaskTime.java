package dev.mayfly.core.plan.model;

import java.time.Duration;
import java.util.Optional;

/**
 * What a task of a job takes, for the decision whether a machine would come too late for it.
 *
 * @param counts whether it decides anything: not of open jobs, to which more tasks may come, of
 *     gangs, nor of jobs of which no task has ended in an attempt of their own
 * @param each measured; empty if nobody has looked, or nothing is known
 */
public record TaskTime(boolean counts, Optional<Duration> each) {
  public static final TaskTime NEVER = new TaskTime(false, Optional.empty());

  /** It may be looked at. */
  public static final TaskTime UNREAD = new TaskTime(true, Optional.empty());

  public static TaskTime of(Optional<Duration> each) {
    return new TaskTime(true, each);
  }
}
