package dev.mayfly.agent.process;

import dev.mayfly.agent.process.CommandLauncher.LaunchResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Finds a program in the command's {@code PATH}, as a shell would, never in the agent's. */
final class ProgramFinder {
  private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

  private record Key(String name, String path) {}

  private final Map<Key, Path> found = new ConcurrentHashMap<>();

  /** The file to run. A name with a slash stays as it is, relative to the command's directory. */
  Optional<String> find(ProcessCommand processCommand) {
    var name = processCommand.argv().getFirst();
    if (name.indexOf('/') >= 0) {
      return Optional.of(name);
    }
    var key = new Key(name, processCommand.environment().getOrDefault("PATH", DEFAULT_PATH));
    var known = found.get(key);
    if (known != null && Files.isExecutable(known)) {
      return Optional.of(known.toString());
    }
    var searched = search(key, processCommand.directory());
    searched.ifPresent(path -> found.put(key, path));
    return searched.map(Path::toString);
  }

  /** Checks the program before it is started. */
  Optional<LaunchResult> launchFailure(String program, ProcessCommand processCommand) {
    var file = processCommand.directory().resolve(program);
    if (!Files.exists(file)) {
      return Optional.of(new LaunchResult.NotStarted(127, program + ": no such file"));
    }
    if (!Files.isExecutable(file))
      return Optional.of(
          new LaunchResult.NotStarted(126, program + " cannot be run; is it executable?"));
    // Only what may be the job's own is read.
    if (processCommand.argv().getFirst().indexOf('/') < 0) return Optional.empty();
    return ScriptFirstLine.problem(file)
        .map(why -> new LaunchResult.NotStarted(127, program + ": " + why));
  }

  private static Optional<Path> search(Key key, Path directory) {
    for (var folder : key.path().split(":", -1)) {
      // An empty entry means the current directory, which is the command's.
      var candidate = directory.resolve(folder).resolve(key.name());
      if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
        return Optional.of(candidate.toAbsolutePath());
      }
    }
    return Optional.empty();
  }
}
