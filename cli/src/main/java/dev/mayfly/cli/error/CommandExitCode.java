package dev.mayfly.cli.error;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.error.UnavailableException;
import java.nio.file.InvalidPathException;

/** The exit codes of {@code mayfly}, by who can fix the error. */
public enum CommandExitCode {
  OK(0),
  /** The job ended with tasks that are not done: see {@code mayfly explain}. */
  JOB_FAILED(1),
  /** The user must change the input. */
  INPUT(2),
  /** A user stopped the job. */
  STOPPED(3),
  /** The user must correct the name. */
  NOT_FOUND(4),
  /** A bug in Mayfly. */
  BUG(70),
  /** Not all results could be written: EX_IOERR of sysexits.h. */
  CUT_OUTPUT(74),
  /** Temporary, or a service must be started. */
  UNAVAILABLE(75),
  /** An administrator must grant a right. */
  DENIED(77);

  private final int code;

  CommandExitCode(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /** The exit code for a failure. */
  public static CommandExitCode of(Throwable failure) {
    if (failure instanceof CommandException commandException) return commandException.exitCode();
    if (failure instanceof InvalidPathException) return INPUT;
    if (!(failure instanceof MayflyException known)) return BUG;
    return switch (known) {
      case InvalidInputException e -> INPUT;
      case DeniedException e -> DENIED;
      case MissingPermissionException e -> DENIED;
      case UnavailableException e -> UNAVAILABLE;
    };
  }
}
