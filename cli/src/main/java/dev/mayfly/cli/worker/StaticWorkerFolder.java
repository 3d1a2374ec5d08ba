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
 * The folder of a static worker, locked by one {@code worker join} at a time and by its agent. The
 * locks end with their processes in every case.
 */
final class StaticWorkerFolder implements AutoCloseable {
  private static final Duration MAX_PAUSE = Duration.ofMillis(250);

  /** Longer than the shutdown of an agent whose join process is gone. */
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final Path folder;
  private final FileChannel held;

  private StaticWorkerFolder(Path folder, FileChannel held) {
    this.folder = folder;
    this.held = held;
  }

  /**
   * Creates the folder if necessary and locks it. Refuses a folder that another join has locked.
   */
  public static StaticWorkerFolder acquire(Path folder) {
    try {
      Files.createDirectories(folder);
      var file = folder.resolve("join");
      var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (lock(channel).isEmpty()) {
        channel.close();
        throw CommandException.input(
            "%s is in use by another mayfly worker join, process %s; end that process, or choose another --dir"
                .formatted(folder, Files.readString(file).strip()));
      }
      channel.truncate(0);
      channel.write(StandardCharsets.US_ASCII.encode(ProcessHandle.current().pid() + "\n"), 0);
      return new StaticWorkerFolder(folder, channel);
    } catch (IOException e) {
      throw CommandException.input(
          "the folder " + folder + " cannot be used (" + e + "); choose another --dir", e);
    }
  }

  /** Waits until the agent of an earlier join has returned its work and ended its processes. */
  public void awaitNoAgent(ConditionPoller conditionPoller, Screen screen) {
    if (isAgentGone()) return;
    screen.note("waiting for the agent of an earlier join to end, process " + agentPid());
    var ended =
        conditionPoller.until(LIMIT, MAX_PAUSE, () -> Optional.of(true).filter(_ -> isAgentGone()));
    if (ended.isEmpty())
      throw new CommandException(
          CommandExitCode.UNAVAILABLE,
          "%1$s is still in use by the agent of an earlier join, process %2$s; end it (kill -9 %2$s), or choose another --dir"
              .formatted(folder, agentPid()));
  }

  private Path agentLock() {
    return folder.resolve("work").resolve("lock");
  }

  private boolean isAgentGone() {
    if (!Files.exists(agentLock())) return true;
    try (var file = FileChannel.open(agentLock(), StandardOpenOption.WRITE)) {
      return lock(file).isPresent();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String agentPid() {
    try {
      return Files.readString(agentLock()).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Locks the file until the channel is closed. */
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
