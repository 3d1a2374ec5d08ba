package dev.mayfly.local.http;

/** Decides the outcome of each call before its API handles it. */
@FunctionalInterface
public interface CallFaultInjector {
  /** The fault of a call. */
  enum Verdict {
    /** No fault. */
    OPEN,
    /** The call takes effect, but the connection is cut instead of a reply. */
    REPLY_LOST,
    /** The call has no effect: 403 {@code rateLimitExceeded}. */
    RATE_LIMITED
  }

  /**
   * Called once for each call.
   *
   * @param mutating whether the method changes state
   */
  Verdict verdict(String path, boolean mutating);
}
