package dev.mayfly.local.access;

import java.util.Set;

/** The credentials that a call needs. Every level refuses web pages. */
public enum AccessLevel {
  /** The owner's token. */
  OWNER(TokenHolder.OWNER),
  /** The owner's token, or a machine's. */
  MACHINE(TokenHolder.OWNER, TokenHolder.MACHINE),
  /** A token of those who publish, each to topics of its own. */
  PUBLISHER(TokenHolder.OWNER, TokenHolder.TASK, TokenHolder.SUBMITTER, TokenHolder.ADMIN),
  /** Any token but a viewer's; each has its own rights to objects. */
  OBJECTS(
      TokenHolder.OWNER,
      TokenHolder.PERSON,
      TokenHolder.SUBMITTER,
      TokenHolder.ADMIN,
      TokenHolder.MACHINE,
      TokenHolder.TASK),
  /** The owner's token, a person's, or an identity token that the guard's server knows. */
  IDENTITY(TokenHolder.OWNER, TokenHolder.VIEWER, TokenHolder.SUBMITTER, TokenHolder.ADMIN),
  /**
   * The owner's or a machine's token, or none if the call comes from a process of this user. For
   * what Google's clients call on a machine without credentials.
   */
  SAME_USER(TokenHolder.OWNER, TokenHolder.MACHINE),
  /** No credentials. */
  PUBLIC;

  private final Set<TokenHolder> holders;

  AccessLevel(TokenHolder... holders) {
    this.holders = Set.of(holders);
  }

  boolean admits(TokenHolder holder) {
    return holders.contains(holder);
  }
}
