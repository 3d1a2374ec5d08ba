package dev.mayfly.agent.process;

/** Starts processes, each in a session of its own with standard input at its end. */
public interface CommandLauncher {

  /** Starts a command. A program that cannot be started is an answer and not an exception. */
  LaunchResult launch(ProcessCommand processCommand);

  /** How this launcher works, for the agent's status line. */
  String describe();

  /** What came of a start. */
  sealed interface LaunchResult {
    record Started(RunningProcess running) implements LaunchResult {}

    /**
     * @param code what a shell would say: 127 for a program that does not exist, 126 for one that
     *     cannot be run
     */
    record NotStarted(int code, String reason) implements LaunchResult {}

    /** The machine has no room for one more process: no fault of the command. */
    record NoRoom(String reason) implements LaunchResult {}
  }

  /** The fastest launcher that works on this machine. */
  static CommandLauncher best() {
    return SpawnLauncher.load().<CommandLauncher>map(l -> l).orElseGet(ProcessBuilderLauncher::new);
  }
}
