package dev.mayfly.agent.os;

/** How a process ended. */
public sealed interface Exit {

  /** It ended by itself with this code. */
  record Code(int code) implements Exit {}

  /** A signal ended it. */
  record Signal(int number) implements Exit {}

  /** Whether it ended by itself and says that all is well. */
  default boolean ok() {
    return this instanceof Code(int code) && code == 0;
  }
}
