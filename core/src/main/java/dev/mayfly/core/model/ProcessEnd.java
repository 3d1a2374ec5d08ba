package dev.mayfly.core.model;

/** What became of the process of an attempt. */
public sealed interface ProcessEnd {
  /** It ended with 0, and the attempt failed by what followed. */
  static ProcessEnd success() {
    return new Exited(0);
  }

  /** None began, by no fault of the machine. */
  static ProcessEnd none() {
    return new NeverBegan(false);
  }

  /**
   * @param code 128 + the signal's number if a signal ended it
   */
  record Exited(int code) implements ProcessEnd {}

  /**
   * @param machine whether the machine itself is to blame, so that it must be replaced
   */
  record NeverBegan(boolean machine) implements ProcessEnd {}

  default boolean blamesMachine() {
    return this instanceof NeverBegan none && none.machine();
  }

  /** As failures are stored. */
  default int exitCode() {
    return switch (this) {
      case Exited exited -> exited.code();
      case NeverBegan _ -> AttemptFailure.NO_PROCESS;
    };
  }
}
