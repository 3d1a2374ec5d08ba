package dev.mayfly.local.http;

/** What goes wrong on purpose. Both are asked once for each call; a path is raw, as it was sent. */
public interface RestFaults {
  /** All is well. */
  RestFaults NONE = new RestFaults() {};

  /** Whether the call takes effect and its reply is lost: the connection ends without one. */
  default boolean losesReply(String method, String path) {
    return false;
  }

  /**
   * The status with which the call is refused before it takes effect, for example 503; 0 for none.
   */
  default int errorStatus(String method, String path) {
    return 0;
  }
}
