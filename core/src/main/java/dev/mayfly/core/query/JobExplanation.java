package dev.mayfly.core.query;

import dev.mayfly.core.model.document.EventRecord;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The explanation of a job's state.
 *
 * @param summary one sentence
 * @param reasons what holds it up, most important first; empty if nothing does
 * @param queue the jobs before it in the queue
 * @param remedy what a person does about the first reason, or that there is nothing to do; empty if
 *     its sentence or the summary says it, and from control planes of before
 */
public record JobExplanation(
    String job,
    String summary,
    List<Reason> reasons,
    List<String> queue,
    List<EventRecord> events,
    Optional<String> remedy) {
  /** Without a remedy. */
  public JobExplanation(
      String job,
      String summary,
      List<Reason> reasons,
      List<String> queue,
      List<EventRecord> events) {
    this(job, summary, reasons, queue, events, Optional.empty());
  }

  JobExplanation with(Optional<String> aRemedy) {
    return new JobExplanation(job, summary, reasons, queue, events, aRemedy);
  }

  /** The most events: there may be older ones where there are as many. */
  public static final int MOST_EVENTS = 10;

  /**
   * @param kind one word; docs/operations.md has them all
   */
  public record Reason(String kind, String text) {
    /** Kinds that tell what a job is or where it runs. */
    private static final Set<String> ABOUT =
        Set.of("open", "region", "labels", "rollout", "on-demand", "storage", "limits");

    /** Kinds that tell why a job with no task to start does not go on. */
    private static final Set<String> STOPPED = Set.of("lost", "silent", "stalled", "additions");

    /** Kinds that tell why attempts ended: by a task's fault, and by nobody's. */
    private static final Set<String> ATTEMPTS =
        Set.of("failing", "repeated", "recovered", "interrupted");

    /** Whether it tells why attempts ended without a result. */
    public boolean tellsOfAttempts() {
      return ATTEMPTS.contains(kind);
    }

    /** Whether it tells why work that has begun does not go on. */
    public boolean tellsOfBegun() {
      return STOPPED.contains(kind);
    }

    /** Whether it tells why the job waits. */
    public boolean tellsWhy() {
      return !ABOUT.contains(kind);
    }
  }
}
