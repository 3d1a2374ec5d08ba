package dev.mayfly.local.http;

/** Injected faults. Both methods are called once for each call, with the raw path. */
public interface RestFaults {
  /** No faults. */
  RestFaults NONE = new RestFaults() {};

  /** Whether the call takes effect but its reply is lost: the connection ends without a reply. */
  default boolean losesReply(String method, String path) {
    return false;
  }

  /** The status of a refusal before the call takes effect, for example 503; 0 for none. */
  default int errorStatus(String method, String path) {
    return 0;
  }
}
