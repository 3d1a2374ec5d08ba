package dev.mayfly.agent.files;

import dev.mayfly.agent.logs.LogFile;
import dev.mayfly.agent.process.TaskUser;
import dev.mayfly.agent.process.kill.FirstProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * One attempt's private folder, gone after it. The log is not in it: what a task can change, it can
 * turn into a link to anything.
 *
 * @param folder holds the rooms: the input, the output and others beside the working directory,
 *     where the command does not stumble on them
 * @param work where the command starts, with the job's code in it
 * @param log standard output and standard error
 * @param owner gets it back
 */
public record AttemptDir(Path folder, Path work, LogFile log, WorkDir owner)
    implements AutoCloseable {
  /** The folders that an attempt's folder always has, and that the task may change. */
  public static final List<String> ROOMS = List.of("work", "in", "out", "tmp");

  /** One that the agent writes to while the task runs, which only reads it. */
  public static final String NOTICES = "notice";

  private static final int LONGEST_NAME = 100;

  /** Where the input is put; it keeps its name, since programs read meaning from an extension. */
  public Path input(String name) {
    return folder.resolve("in").resolve(safe(name, "input"));
  }

  /** Where the command leaves its output. */
  public Path output(String name) {
    return folder.resolve("out").resolve(safe(name, "output"));
  }

  /** What the command takes for the machine's temporary folder, by a short name. */
  public Path temporary() {
    return owner.temporary().resolve(String.valueOf(folder.getFileName())).resolve("tmp");
  }

  /** The same by the name that it also has in a container. */
  public Path containedTemporary() {
    return folder.resolve("tmp");
  }

  /** Copies a job's code into the working directory; a change there reaches nobody else. */
  public void copyCode(Path code) throws IOException {
    FileTrees.copy(code, work);
  }

  /**
   * Its first process runs: should this agent be killed, the next one finds it here. Where that
   * cannot be written the attempt runs all the same.
   */
  public void recordFirstProcess(long pid) {
    try {
      FirstProcess.write(folder, pid);
    } catch (IOException fullDisk) {
      // Its processes are found by their marks.
      return;
    }
  }

  /** The file that appears when the command is asked to end. */
  public Path notice() {
    return folder.resolve(NOTICES).resolve("deadline");
  }

  /** Tells the command, in its {@link #notice}, when it will be killed. */
  public void giveNotice(Duration grace) throws IOException {
    var end = Instant.now().plus(grace).truncatedTo(ChronoUnit.SECONDS);
    var half = folder.resolve(NOTICES).resolve(".deadline");
    Files.writeString(half, end + "\n");
    // Who sees it, sees all of it.
    Files.move(half, notice(), StandardCopyOption.ATOMIC_MOVE);
  }

  /** From now on another user than the agent's has the rooms, with all that is in them. */
  public void giveTo(TaskUser user) throws IOException {
    owner.handOver(this, user);
  }

  /** Opens the room of outputs; empty if the task put something else in its place. */
  public Optional<SecureDirectory> outputs() throws IOException {
    return owner.open(List.of(String.valueOf(folder.getFileName()), "out"));
  }

  @Override
  public void close() throws IOException {
    try (log) {
      owner.takeBack(folder);
    }
  }

  /** An object's name can hold anything; a file's must stay in its folder. */
  private static String safe(String name, String fallback) {
    var plain = name.replaceAll("[/\\p{Cntrl}]", "_");
    if (plain.length() > LONGEST_NAME) {
      plain = plain.substring(plain.length() - LONGEST_NAME);
    }
    return plain.isEmpty() || plain.equals(".") || plain.equals("..") ? fallback : plain;
  }
}
