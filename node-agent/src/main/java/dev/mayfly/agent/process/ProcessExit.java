package dev.mayfly.agent.process;

/** How a process ended. */
public sealed interface ProcessExit {

  /** The process exited with this code. */
  record Code(int code) implements ProcessExit {}

  /** A signal ended the process. */
  record Signal(int number) implements ProcessExit {}

  /** Whether the process exited with code 0. */
  default boolean ok() {
    return this instanceof Code(int code) && code == 0;
  }
}
