package dev.mayfly.agent.process;

import java.util.NoSuchElementException;
import java.util.Optional;

/** Starts processes with {@code posix_spawn}: two and a half times as fast as ProcessBuilder. */
final class SpawnLauncher implements CommandLauncher {
  private static final int ENOENT = 2;
  private static final int E2BIG = 7;
  private static final int EAGAIN = 11;
  private static final int ENOMEM = 12;

  private final SpawnCalls calls;
  private final ChildReaper childReaper;
  private final ProgramFinder programFinder = new ProgramFinder();

  private SpawnLauncher(SpawnCalls calls, ChildReaper childReaper) {
    this.calls = calls;
    this.childReaper = childReaper;
  }

  /** Empty if the C library or kernel lacks a function: glibc 2.34 and Linux 5.3 have all. */
  static Optional<SpawnLauncher> load() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new SpawnLauncher(new SpawnCalls(), ChildReaper.start(new ProcessCalls())));
    } catch (NoSuchElementException
        | IllegalCallerException
        | UnsupportedOperationException
        | IllegalStateException e) {
      return Optional.empty();
    }
  }

  @Override
  public LaunchResult launch(ProcessCommand processCommand) {
    var program = programFinder.find(processCommand);
    if (program.isEmpty()) {
      return new LaunchResult.NotStarted(127, notFound(processCommand));
    }
    if (!processCommand.steps().isEmpty()) {
      var refused = programFinder.launchFailure(program.get(), processCommand);
      if (refused.isPresent()) return refused.get();
    }
    int pid = calls.spawn(program.get(), processCommand);
    return pid > 0
        ? new LaunchResult.Started(childReaper.adopt(pid))
        : launchFailure(-pid, program.get(), processCommand);
  }

  @Override
  public String describe() {
    return "posix_spawn";
  }

  static String notFound(ProcessCommand processCommand) {
    var name = processCommand.argv().getFirst();
    if (name.strip().contains(" "))
      return "command not found: '%s' is one word; a text for the shell stands behind sh -c"
          .formatted(name);
    var path = processCommand.environment().getOrDefault("PATH", "(not set)");
    return "command not found: " + name + "; PATH is " + path;
  }

  private LaunchResult launchFailure(int error, String program, ProcessCommand processCommand) {
    var name = processCommand.argv().getFirst();
    return switch (error) {
      case ENOENT ->
          programFinder
              .launchFailure(program, processCommand)
              .orElseGet(() ->
                  new LaunchResult.NotStarted(
                      127, name + ": no such file, or what it needs to start is missing"));
      case E2BIG ->
          new LaunchResult.NotStarted(126, name + ": arguments and environment are too large");
      case EAGAIN, ENOMEM ->
          new LaunchResult.NoRoom("the machine has no room for one more process");
      default ->
          new LaunchResult.NotStarted(
              126, name + " cannot be run (error " + error + "); is it executable, with #! line?");
    };
  }
}
