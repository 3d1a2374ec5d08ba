package dev.mayfly.core.model.cluster;

/**
 * What tasks may do on machines that Mayfly made, beyond what every task may. Elsewhere they run as
 * the agent does.
 *
 * @param root whether they run as the machine's administrator; otherwise as a user of their own
 * @param metadata whether they reach the metadata server, and so have the rights of the machine's
 *     service account
 */
public record TaskPrivileges(boolean root, boolean metadata) {
  public static final TaskPrivileges NONE = new TaskPrivileges(false, false);

  /** What both allow. */
  public TaskPrivileges and(TaskPrivileges other) {
    return new TaskPrivileges(root && other.root, metadata && other.metadata);
  }
}
