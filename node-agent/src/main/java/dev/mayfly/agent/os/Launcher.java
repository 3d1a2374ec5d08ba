package dev.mayfly.agent.os;

/** Starts processes, each in a session of its own with standard input at its end. */
public interface Launcher {

  /** Starts a command. A program that cannot be started is an answer and not an exception. */
  Launched launch(Command command);

  /** How this launcher works, for the agent's status line. */
  String describe();

  /** What came of a start. */
  sealed interface Launched {
    record Started(Running running) implements Launched {}

    /**
     * @param code what a shell would say: 127 for a program that does not exist, 126 for one that
     *     cannot be run
     */
    record NotStarted(int code, String reason) implements Launched {}

    /** The machine has no room for one more process: no fault of the command. */
    record NoRoom(String reason) implements Launched {}
  }

  /** The fastest launcher that works on this machine. */
  static Launcher best() {
    return SpawnLauncher.load().<Launcher>map(l -> l).orElseGet(ProcessLauncher::new);
  }
}
