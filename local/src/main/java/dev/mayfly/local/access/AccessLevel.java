package dev.mayfly.local.access;

/** The credentials that a call needs. Every level refuses web pages. */
public enum AccessLevel {
  /** The owner's token. */
  OWNER,
  /** The owner's token, or a machine's. */
  MACHINE,
  /**
   * Either token, or none if the call comes from a process of this user. For APIs that Google's
   * clients use without credentials.
   */
  SAME_USER,
  /** No credentials. */
  PUBLIC
}
