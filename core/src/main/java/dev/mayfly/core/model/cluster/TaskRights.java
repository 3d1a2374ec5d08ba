package dev.mayfly.core.model.cluster;

import java.util.Optional;

/**
 * The rights of tasks on machines that Mayfly made, beyond the default. Elsewhere tasks run with
 * the agent's rights, and none may submit.
 *
 * @param root whether they run as the machine's administrator; otherwise as a user of their own
 * @param metadata whether they reach the metadata server, and so have the rights of the machine's
 *     service account
 * @param submits true if they may submit jobs, by a token of their own; absent, as in documents
 *     that were stored before it existed, if not
 */
public record TaskRights(boolean root, boolean metadata, Optional<Boolean> submits) {
  public static final TaskRights NONE = new TaskRights(false, false, false);

  public TaskRights {
    submits = submits.filter(it -> it);
  }

  public TaskRights(boolean root, boolean metadata, boolean submitter) {
    this(root, metadata, Optional.of(submitter));
  }

  /** Whether they may submit jobs. */
  public boolean submitter() {
    return submits.isPresent();
  }

  /** The rights that both allow. */
  public TaskRights and(TaskRights other) {
    return new TaskRights(
        root && other.root, metadata && other.metadata, submitter() && other.submitter());
  }
}
