package dev.mayfly.local.access;

import java.util.Locale;
import java.util.Optional;

/** Whose token a call shows. On Google Cloud each is another account. */
public enum TokenHolder {
  /** The owner, who is administrator of everything. */
  OWNER,
  /** The owner at the buckets, with the rights of a person who submits jobs. */
  PERSON,
  /** A person who reads what the API shows. */
  VIEWER,
  /** A person who also submits jobs, and changes only the own ones. */
  SUBMITTER,
  /** A person who also brings clusters up and down, by name. */
  ADMIN,
  /** A machine: the account {@code agent}. */
  MACHINE,
  /** A task that may submit jobs: the account {@code task-submitter}. */
  TASK;

  /** The holder with a role that people have, such as {@code submitter}. */
  public static Optional<TokenHolder> ofRole(String role) {
    return switch (role) {
      case "viewer" -> Optional.of(VIEWER);
      case "submitter" -> Optional.of(SUBMITTER);
      case "admin" -> Optional.of(ADMIN);
      default -> Optional.empty();
    };
  }

  /** Its role as users write it. */
  String role() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whose rights to objects it has: administrators may make buckets too, as with Terraform. */
  public TokenHolder atBuckets() {
    return this == SUBMITTER ? PERSON : this;
  }
}
