package dev.mayfly.core.query.task;

import dev.mayfly.core.model.document.TaskAddition;
import java.time.Instant;

/**
 * Tasks that a message added to an open job, as users see them.
 *
 * @param job the job's uid
 * @param addition its id
 * @param first the index of the first; the others follow it
 */
public record TaskAdditionStatus(String job, String addition, long first, long count, Instant at) {
  public static TaskAdditionStatus of(TaskAddition stored) {
    return new TaskAdditionStatus(
        stored.job(), stored.id(), stored.first(), stored.count(), stored.at());
  }
}
