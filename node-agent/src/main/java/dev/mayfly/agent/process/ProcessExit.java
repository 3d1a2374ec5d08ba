package dev.mayfly.agent.process;

/** How a process ended. */
public sealed interface ProcessExit {

  /** It ended by itself with this code. */
  record Code(int code) implements ProcessExit {}

  /** A signal ended it. */
  record Signal(int number) implements ProcessExit {}

  /** Whether it ended by itself and says that all is well. */
  default boolean ok() {
    return this instanceof Code(int code) && code == 0;
  }
}
