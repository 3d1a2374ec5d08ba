package dev.mayfly.cli.worker;

import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.output.Screen;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;

/**
 * The folder of a machine of one's own, which is held by one {@code worker join} at a time, and by
 * the agent that it starts. The locks end with their processes, however those end.
 */
final class StaticWorkerFolder implements AutoCloseable {
  private static final Duration EVERY = Duration.ofMillis(250);

  /** More than an agent takes to end whose join is gone. */
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final Path folder;
  private final FileChannel held;

  private StaticWorkerFolder(Path folder, FileChannel held) {
    this.folder = folder;
    this.held = held;
  }

  /** Makes the folder if need be, and holds it. Refuses one that another join holds. */
  public static StaticWorkerFolder acquire(Path folder) {
    try {
      Files.createDirectories(folder);
      var file = folder.resolve("join");
      var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (lock(channel).isEmpty()) {
        channel.close();
        throw new CommandException(
            CommandExitCode.INPUT,
            "%s is used by another mayfly worker join, process %s; end that one, or choose another --dir"
                .formatted(folder, Files.readString(file).strip()));
      }
      channel.truncate(0);
      channel.write(StandardCharsets.US_ASCII.encode(ProcessHandle.current().pid() + "\n"), 0);
      return new StaticWorkerFolder(folder, channel);
    } catch (IOException e) {
      throw new CommandException(
          CommandExitCode.INPUT,
          "the folder " + folder + " cannot be used (" + e + "); name one: --dir",
          e);
    }
  }

  /**
   * Waits until the agent of an earlier join has ended: it gives its work back first, and ends its
   * processes.
   */
  public void awaitNoAgent(ConditionPoller conditionPoller, Screen screen) {
    if (noAgent()) return;
    screen.note("the agent of an earlier join still ends here, process " + agent());
    var ended = conditionPoller.until(LIMIT, EVERY, () -> Optional.of(true).filter(_ -> noAgent()));
    if (ended.isEmpty())
      throw new CommandException(
          CommandExitCode.UNAVAILABLE,
          "%1$s is still used by the agent of an earlier join, process %2$s; end it (kill -9 %2$s), or choose another --dir"
              .formatted(folder, agent()));
  }

  private Path lockOfAgent() {
    return folder.resolve("work").resolve("lock");
  }

  private boolean noAgent() {
    if (!Files.exists(lockOfAgent())) return true;
    try (var file = FileChannel.open(lockOfAgent(), StandardOpenOption.WRITE)) {
      return lock(file).isPresent();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String agent() {
    try {
      return Files.readString(lockOfAgent()).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Until the channel is closed. */
  private static Optional<FileLock> lock(FileChannel file) throws IOException {
    try {
      return Optional.ofNullable(file.tryLock());
    } catch (OverlappingFileLockException heldByThisProcess) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    try {
      held.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
