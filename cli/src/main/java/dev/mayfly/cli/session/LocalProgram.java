package dev.mayfly.cli.session;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A program of this computer that does something on a machine; its exit code is that of the command
 * there.
 *
 * @param argv the program's path and its arguments, which no shell of this computer reads
 */
public record LocalProgram(List<String> argv) {
  public LocalProgram {
    argv = List.copyOf(argv);
  }

  /** The program of that name in the folders of a {@code PATH}. */
  public static Optional<String> find(Map<String, String> env, String name) {
    for (var folder : env.getOrDefault("PATH", "").split(":", -1)) {
      var program = Path.of(folder, name);
      if (!folder.isEmpty() && Files.isExecutable(program) && !Files.isDirectory(program))
        return Optional.of(program.toString());
    }
    return Optional.empty();
  }

  /** A builder that the caller gives its streams. */
  public ProcessBuilder builder() {
    return new ProcessBuilder(argv);
  }
}
