package dev.mayfly.local.http;

import java.util.Optional;

/** Decides the outcome of each call before its API handles it. */
@FunctionalInterface
public interface CallFaultInjector {
  /** No faults. */
  CallFaultInjector NONE = (path, mutating) -> Verdict.OPEN;

  /**
   * The fault of a call.
   *
   * @param replyLost whether the call takes effect, but the connection is cut instead of a reply
   * @param refusal the error of a call that has no effect
   */
  record Verdict(boolean replyLost, Optional<ApiError> refusal) {
    /** No fault. */
    public static final Verdict OPEN = new Verdict(false, Optional.empty());

    public static final Verdict REPLY_LOST = new Verdict(true, Optional.empty());

    public static Verdict refused(ApiError refusal) {
      return new Verdict(false, Optional.of(refusal));
    }
  }

  /**
   * Called once for each call.
   *
   * @param mutating whether the method changes state
   */
  Verdict verdict(String path, boolean mutating);
}
