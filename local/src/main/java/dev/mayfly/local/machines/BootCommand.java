package dev.mayfly.local.machines;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command that every machine runs.
 *
 * @param arguments the program and its arguments; restarted when it ends, unless with exit code 42
 */
public record BootCommand(List<String> arguments) {
  public BootCommand {
    arguments = List.copyOf(arguments);
    if (arguments.isEmpty()) {
      throw new IllegalArgumentException("A boot command needs a program");
    }
  }

  /** The real node agent, on this process's Java. */
  public static BootCommand agent(String classPath, List<String> jvmFlags) {
    var java = Path.of(System.getProperty("java.home"), "bin", "java");
    var arguments = new ArrayList<>(List.of(java.toString()));
    arguments.addAll(jvmFlags);
    arguments.addAll(List.of("-cp", classPath, "dev.mayfly.agent.Main"));
    return new BootCommand(arguments);
  }

  /** The command line that starts it as a machine's first process, in its own session. */
  List<String> asInit(Path initScript) {
    var command = new ArrayList<String>();
    if (onPath("setsid")) {
      command.add("setsid");
    }
    command.addAll(List.of("/bin/sh", initScript.toString()));
    command.addAll(arguments);
    return command;
  }

  private static boolean onPath(String program) {
    for (var folder : System.getenv().getOrDefault("PATH", "/usr/bin:/bin").split(":")) {
      if (new File(folder, program).canExecute()) {
        return true;
      }
    }
    return false;
  }
}
