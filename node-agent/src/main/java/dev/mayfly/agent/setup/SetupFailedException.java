package dev.mayfly.agent.setup;

import dev.mayfly.core.model.FailureCause;

/** A setup was not finished; nothing of it is left. */
public final class SetupFailedException extends Exception {
  private static final long serialVersionUID = 1;

  private final FailureCause cause;

  /**
   * @param evidence for the user
   */
  public SetupFailedException(FailureCause cause, String evidence) {
    super("setup: " + evidence);
    this.cause = cause;
  }

  /** As above, for what {@code reason} shows. */
  public SetupFailedException(FailureCause cause, String evidence, Throwable reason) {
    super("setup: " + evidence, reason);
    this.cause = cause;
  }

  public FailureCause failureCause() {
    return cause;
  }

  /** Whether another try on this machine would fail alike. */
  boolean isLasting() {
    return cause == FailureCause.USER || cause == FailureCause.TIMEOUT;
  }

  String evidence() {
    return String.valueOf(getMessage()).substring("setup: ".length());
  }
}
