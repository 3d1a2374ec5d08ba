package dev.mayfly.local.access;

/** Whose token a call shows. On Google Cloud each is another account. */
public enum TokenHolder {
  /** The owner, who is administrator of everything. */
  OWNER,
  /** A person who submits jobs, at the buckets: what Terraform calls a submitter. */
  PERSON,
  /** A machine: the account {@code agent}. */
  MACHINE,
  /** A task that may submit jobs: the account {@code task-submitter}. */
  TASK
}
