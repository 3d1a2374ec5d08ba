package dev.mayfly.agent.process;

/** Starts processes, each in its own session and with empty standard input. */
public interface CommandLauncher {

  /** Starts a command. Returns a failure to start, rather than throwing it. */
  LaunchResult launch(ProcessCommand processCommand);

  /** How this launcher works, for the agent's log. */
  String describe();

  /** The result of a launch. */
  sealed interface LaunchResult {
    record Started(RunningProcess running) implements LaunchResult {}

    /**
     * @param code as a shell reports it: 127 for a program that does not exist, 126 for one that
     *     cannot be run
     */
    record NotStarted(int code, String reason) implements LaunchResult {}

    /** The machine cannot run another process; the command is not at fault. */
    record NoRoom(String reason) implements LaunchResult {}
  }

  /** The fastest launcher that works on this machine. */
  static CommandLauncher best() {
    return SpawnLauncher.load().<CommandLauncher>map(l -> l).orElseGet(ProcessBuilderLauncher::new);
  }
}
