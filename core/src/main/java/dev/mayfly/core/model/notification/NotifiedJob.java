package dev.mayfly.core.model.notification;

import dev.mayfly.core.model.job.TaskTotals;
import java.util.Optional;

/**
 * The ended job of a notification, as it was then: a retry drops its end.
 *
 * @param owner claimed by the submitter, not proved
 * @param outcome the URL of the first outcome object; empty only if it could not be written
 */
public record NotifiedJob(
    String name, String uid, Optional<String> owner, TaskTotals totals, Optional<String> outcome) {}
