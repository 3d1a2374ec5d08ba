package dev.mayfly.local.access;

/** What a call must show. All of them are refused to what a web page sends. */
public enum AccessLevel {
  /** The owner's token. */
  OWNER,
  /** The owner's token, or a machine's. */
  MACHINE,
  /**
   * One of both, or nothing: then the call must come from a process of this user's. For what
   * Google's own clients reach without credentials.
   */
  SAME_USER,
  /** Nothing. */
  ANYBODY
}
