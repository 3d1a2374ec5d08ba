package dev.mayfly.cli.exit;

import dev.mayfly.core.error.Denied;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.MissingPermission;
import dev.mayfly.core.error.Unavailable;

/** The exit codes of {@code mayfly}, by who can mend it. */
public enum Exit {
  OK(0),
  /** The job ended and not all of its tasks are done: its owner reads {@code mayfly explain}. */
  JOB_FAILED(1),
  /** The user changes what was written. */
  INPUT(2),
  /** Somebody stopped the job. */
  STOPPED(3),
  /** The user looks up the name. */
  NOT_FOUND(4),
  /** Whoever wrote Mayfly. */
  BUG(70),
  /** Time, or somebody who starts what is not running. */
  UNAVAILABLE(75),
  /** Whoever grants rights. */
  DENIED(77);

  private final int code;

  Exit(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /** What a failure means to whoever called. */
  public static Exit of(Throwable failure) {
    if (failure instanceof Refusal refusal) return refusal.exit();
    if (!(failure instanceof MayflyException known)) return BUG;
    return switch (known) {
      case Invalid e -> INPUT;
      case Denied e -> DENIED;
      case MissingPermission e -> DENIED;
      case Unavailable e -> UNAVAILABLE;
    };
  }
}
