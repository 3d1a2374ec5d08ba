package dev.mayfly.agent.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.agent.libc.NewFile;
import dev.mayfly.agent.logs.LogFile;
import dev.mayfly.agent.process.TaskUser;
import dev.mayfly.agent.process.kill.FirstProcess;
import dev.mayfly.core.files.LocalName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt's private folder, deleted after the attempt. The log is outside, because a task could
 * replace it by a link to any file.
 *
 * @param folder holds the working directory, and beside it the input, the output and others, which
 *     the command does not expect in its working directory
 * @param work where the command starts, with the job's code in it
 * @param log standard output and standard error
 * @param owner takes the folder back
 */
public record AttemptDir(Path folder, Path work, LogFile log, WorkDir owner)
    implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AttemptDir.class);
  private static final String REPORTS = "reports";
  private static final String CHECKPOINT = "checkpoint";

  /** The file below the folder of reports to which a task appends its metrics. */
  public static final String METRICS = "metrics.jsonl";

  /** The subfolders that every attempt has and that the task may change. */
  public static final List<String> ROOMS = List.of("work", "in", "out", "tmp", REPORTS, CHECKPOINT);

  /** A subfolder that the agent writes to while the task runs; read-only for the task. */
  public static final String NOTICES = "notice";

  /** All subfolders of an attempt. */
  static final Set<String> SUBFOLDERS =
      Stream.concat(ROOMS.stream(), Stream.of(NOTICES)).collect(Collectors.toUnmodifiableSet());

  /** The path of the input. It keeps its name, because programs interpret file extensions. */
  public Path input(String name) {
    return folder.resolve("in").resolve(LocalName.of(name, "input"));
  }

  /** The path at which the command writes its output. */
  public Path output(String name) {
    return folder.resolve("out").resolve(LocalName.of(name, "output"));
  }

  /** The command's temporary folder, by a short path. */
  public Path temporary() {
    return owner.temporary().resolve(String.valueOf(folder.getFileName())).resolve("tmp");
  }

  /** The temporary folder, by the path that is the same inside a container. */
  public Path containedTemporary() {
    return folder.resolve("tmp");
  }

  /** Copies the job's code into the working directory, so that changes stay in this attempt. */
  public void copyCode(Path code) throws IOException {
    FileTrees.copy(code, work);
  }

  /**
   * Records the first process, for the next agent if this one is killed. The attempt runs even if
   * this fails.
   */
  public void recordFirstProcess(long pid) {
    try {
      FirstProcess.write(folder, pid);
    } catch (IOException fullDisk) {
      // The processes are still found by their markers.
      return;
    }
  }

  /** The file that appears when the command should end. */
  public Path notice() {
    return folder.resolve(NOTICES).resolve("deadline");
  }

  /** The file that appears with it, and says why in a word. */
  public Path stop() {
    return folder.resolve(NOTICES).resolve("stop");
  }

  /** The file with the tokens of a task that may submit jobs. */
  public Path token() {
    return folder.resolve(NOTICES).resolve("token");
  }

  /**
   * Writes {@link #token}, which only the task's user may read, in place of an older one. The
   * folder is the agent's, so the task cannot put a link there.
   *
   * @param user the task's; empty for the agent's
   */
  public void writeToken(byte[] content, Optional<TaskUser> user) throws IOException {
    var half = folder.resolve(NOTICES).resolve(".token");
    NewFile.make(half, content);
    if (user.isPresent()) user.get().chown(half);
    Files.move(half, token(), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Deletes {@link #token}, if there is one. */
  public void deleteToken() throws IOException {
    Files.deleteIfExists(token());
    Files.deleteIfExists(folder.resolve(NOTICES).resolve(".token"));
  }

  /** The folder that is kept in step with the bucket. */
  public Path checkpoint() {
    return folder.resolve(CHECKPOINT);
  }

  /** Opens {@link #checkpoint}; empty if the task replaced it by something else. */
  public Optional<SecureDirectory> checkpoints() throws IOException {
    return owner.open(List.of(String.valueOf(folder.getFileName()), CHECKPOINT));
  }

  /** The file to which the command appends its metrics. */
  public Path metrics() {
    return folder.resolve(REPORTS).resolve(METRICS);
  }

  /** Opens the folder of {@link #metrics}; empty if the task replaced it by something else. */
  public Optional<SecureDirectory> reports() throws IOException {
    return owner.open(List.of(String.valueOf(folder.getFileName()), REPORTS));
  }

  /** Writes {@link #stop} and {@link #notice}: why the command will be killed, and when. */
  public void giveNotice(Duration grace, String reason) throws IOException {
    write(stop(), reason);
    write(notice(), Instant.now().plus(grace).truncatedTo(ChronoUnit.SECONDS).toString());
  }

  private static void write(Path file, String line) throws IOException {
    NewFile.replace(file, (line + "\n").getBytes(UTF_8));
  }

  /** Writes a line of Mayfly's own into the log, if the disk has room for it. */
  public void say(String line) {
    try {
      log.say(line);
    } catch (IOException e) {
      LOG.warn("not said in a log folder={} line={} reason={}", folder, line, e.toString());
    }
  }

  /** Hands the subfolders and their content over to a user other than the agent's. */
  public void giveTo(TaskUser user) throws IOException {
    owner.handOver(this, user);
  }

  /** Opens the folder of outputs; empty if the task replaced it by something else. */
  public Optional<SecureDirectory> outputs() throws IOException {
    return owner.open(List.of(String.valueOf(folder.getFileName()), "out"));
  }

  /** Opens the temporary folder; empty if the task replaced it by something else. */
  public Optional<SecureDirectory> temporaries() throws IOException {
    return owner.open(List.of(String.valueOf(folder.getFileName()), "tmp"));
  }

  @Override
  public void close() throws IOException {
    try (log) {
      owner.takeBack(folder);
    }
  }
}
