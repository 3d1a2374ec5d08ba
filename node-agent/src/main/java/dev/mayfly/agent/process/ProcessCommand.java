package dev.mayfly.agent.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One process to start.
 *
 * @param argv the program and its arguments, not interpreted by a shell
 * @param environment the complete environment; nothing is inherited
 * @param directory where it starts
 * @param output the file to which standard output and standard error are appended
 * @param steps what the process does before it executes the program
 */
public record ProcessCommand(
    List<String> argv,
    Map<String, String> environment,
    Path directory,
    Path output,
    LaunchSteps steps) {
  public ProcessCommand {
    argv = List.copyOf(argv);
    environment = Map.copyOf(environment);
    if (argv.isEmpty() || argv.getFirst().isEmpty()) {
      throw new IllegalArgumentException("argv is empty; name a program");
    }
    argv.forEach(ProcessCommand::refuseNul);
    environment.forEach(ProcessCommand::refuseBadVariable);
  }

  /** A process without launch steps. */
  public ProcessCommand(
      List<String> argv, Map<String, String> environment, Path directory, Path output) {
    this(argv, environment, directory, output, LaunchSteps.NONE);
  }

  /** A copy with these launch steps. */
  public ProcessCommand withSteps(LaunchSteps others) {
    return new ProcessCommand(argv, environment, directory, output, others);
  }

  /** The launch steps, if any, followed by the program and its arguments. */
  List<String> fullArgv() {
    var whole = new ArrayList<>(steps.argvPrefix(environment.keySet()));
    whole.addAll(argv);
    return whole;
  }

  /** The process's environment at its start. */
  Map<String, String> initialEnvironment() {
    return steps.initialEnvironment(environment);
  }

  private static void refuseBadVariable(String name, String value) {
    if (name.isEmpty() || name.indexOf('=') >= 0) {
      throw new IllegalArgumentException("environment: '" + name + "' cannot be a variable's name");
    }
    refuseNul(name);
    refuseNul(value);
  }

  /** C strings end at the first NUL, so the rest would be silently lost. */
  private static void refuseNul(String text) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a NUL character in '" + text + "'; remove it");
    }
  }
}
