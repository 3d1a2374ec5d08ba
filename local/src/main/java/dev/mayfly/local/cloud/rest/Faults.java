package dev.mayfly.local.cloud.rest;

/** What goes wrong on purpose. Both are asked once for each call; a path is raw, as it was sent. */
public interface Faults {
  /** All is well. */
  Faults NONE = new Faults() {};

  /** Whether the call takes effect and its reply is lost: the connection ends without one. */
  default boolean loseReply(String method, String path) {
    return false;
  }

  /**
   * The status with which the call is refused before it takes effect, for example 503; 0 for none.
   */
  default int refuse(String method, String path) {
    return 0;
  }
}
