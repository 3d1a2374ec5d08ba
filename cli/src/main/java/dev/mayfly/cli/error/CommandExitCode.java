package dev.mayfly.cli.error;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.error.UnavailableException;

/** The exit codes of {@code mayfly}, by who can mend it. */
public enum CommandExitCode {
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

  CommandExitCode(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /** What a failure means to whoever called. */
  public static CommandExitCode of(Throwable failure) {
    if (failure instanceof CommandException commandException) return commandException.exitCode();
    if (!(failure instanceof MayflyException known)) return BUG;
    return switch (known) {
      case InvalidInputException e -> INPUT;
      case DeniedException e -> DENIED;
      case MissingPermissionException e -> DENIED;
      case UnavailableException e -> UNAVAILABLE;
    };
  }
}
