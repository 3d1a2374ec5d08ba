package dev.mayfly.local.http;

/** Decides what becomes of each call before its API sees it. */
@FunctionalInterface
public interface CallFaultInjector {
  /** What may happen to a call. */
  enum Verdict {
    /** The call is answered. */
    OPEN,
    /** The call takes effect, but the connection is cut instead of a reply. */
    REPLY_LOST,
    /** The call has no effect: 403 {@code rateLimitExceeded}. */
    RATE_LIMITED
  }

  /**
   * Asked once for each call.
   *
   * @param mutating whether the method is one that changes something
   */
  Verdict verdict(String path, boolean mutating);
}
