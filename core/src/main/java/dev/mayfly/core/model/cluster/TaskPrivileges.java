package dev.mayfly.core.model.cluster;

/**
 * The rights of tasks on machines that Mayfly made, beyond the default. Elsewhere tasks run with
 * the agent's rights.
 *
 * @param root whether they run as the machine's administrator; otherwise as a user of their own
 * @param metadata whether they reach the metadata server, and so have the rights of the machine's
 *     service account
 */
public record TaskPrivileges(boolean root, boolean metadata) {
  public static final TaskPrivileges NONE = new TaskPrivileges(false, false);

  /** The privileges that both allow. */
  public TaskPrivileges and(TaskPrivileges other) {
    return new TaskPrivileges(root && other.root, metadata && other.metadata);
  }
}
