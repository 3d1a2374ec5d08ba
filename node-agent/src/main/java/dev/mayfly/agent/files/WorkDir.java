package dev.mayfly.agent.files;

import dev.mayfly.agent.logs.LogFile;
import dev.mayfly.agent.process.TaskUser;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The agent's folder on disk: {@code attempts/} with a private folder each, {@code logs/}, {@code
 * code/}, {@code registry/} with the logins of pulls, {@code home/}, and {@code lasting/} of {@link
 * LastingFolders}. Locked by one agent at a time.
 */
public final class WorkDir implements AutoCloseable {
  private final Path root;
  private final Path temporary;
  private final FileChannel lockFile;
  private final SecureDirectory attempts;
  private final FileStore disk;
  private final AtomicLong opened = new AtomicLong();
  private final Queue<Path> empty = new ConcurrentLinkedQueue<>();
  private final Set<Path> handedOver = ConcurrentHashMap.newKeySet();

  private WorkDir(
      Path root, Path temporary, FileChannel lockFile, SecureDirectory attempts, FileStore disk) {
    this.root = root;
    this.temporary = temporary;
    this.lockFile = lockFile;
    this.attempts = attempts;
    this.disk = disk;
  }

  /**
   * Opens and locks the folder, creating it if necessary. Call {@link #clean} once no process of an
   * earlier incarnation runs in it.
   */
  public static WorkDir open(Path root) throws IOException {
    return open(root, Optional.empty());
  }

  /**
   * As {@link #open(Path)}.
   *
   * @param link a short path that tasks may use for their temporary folders
   */
  public static WorkDir open(Path root, Optional<Path> link) throws IOException {
    FileTrees.createPrivateAll(root);
    FileTrees.createPrivateAll(root.resolve("attempts"));
    FileTrees.createPrivateAll(root.resolve("code"));
    FileTrees.createPrivateAll(root.resolve("logs"));
    var path = root.resolve("lock");
    var file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (lock(file) == null) {
      file.close();
      throw new IOException(
          "%s is used by another agent, process %s; stop that one, or give this one a mayfly-work-dir"
              .formatted(root, Files.readString(path).strip()));
    }
    file.truncate(0);
    file.write(StandardCharsets.US_ASCII.encode(ProcessHandle.current().pid() + "\n"), 0);
    var attempts = root.resolve("attempts");
    var temporary = TemporaryLink.to(attempts, link);
    // To find it takes a look at all mounts, and its free space is asked for at each start and end.
    var disk = Files.getFileStore(root);
    return new WorkDir(root, temporary, file, SecureDirectory.at(attempts), disk);
  }

  private static @Nullable FileLock lock(FileChannel file) throws IOException {
    try {
      return file.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  public Path root() {
    return root;
  }

  Path code() {
    return root.resolve("code");
  }

  /** A permanent folder that tasks share. */
  public Path home() throws IOException {
    return FileTrees.createPrivateAll(root.resolve("home"));
  }

  /** The attempts' folder, by a short path. */
  Path temporary() {
    return temporary;
  }

  /** Deletes attempts, logs and pulls of an earlier incarnation; complete code stays. */
  public void clean() throws IOException {
    FileTrees.delete(registry(root));
    attempts.clear();
    try (var old = SecureDirectory.at(root.resolve("logs"))) {
      old.clear();
    }
    try (var half = Files.newDirectoryStream(code(), ".*")) {
      for (var folder : half) {
        FileTrees.delete(folder);
      }
    }
  }

  /** Holds logins while images are pulled. */
  public static Path registry(Path root) {
    return root.resolve("registry");
  }

  /** The disk is broken or full, so no attempt can start here, whatever its task. */
  public static final class Broken extends IOException {
    private static final long serialVersionUID = 1;

    Broken(IOException cause) {
      super("no folder for an attempt can be made: " + cause, cause);
    }
  }

  /** A private, empty folder for an attempt. */
  public AttemptDir attempt() throws Broken {
    try {
      return create();
    } catch (IOException e) {
      throw new Broken(e);
    }
  }

  private AttemptDir create() throws IOException {
    var folder = empty.poll();
    if (folder == null) {
      folder =
          FileTrees.createPrivate(root.resolve("attempts").resolve("" + opened.incrementAndGet()));
      for (var subfolder : AttemptDir.SUBFOLDERS) {
        FileTrees.createPrivate(folder.resolve(subfolder));
      }
    }
    var log = LogFile.make(root.resolve("logs").resolve(folder.getFileName() + ".log"));
    return new AttemptDir(folder, folder.resolve("work"), log, this);
  }

  /**
   * Gives an attempt's subfolders to another user and lets that user reach them. Until then only
   * the agent can reach the folder, so it contains no links of a task. Afterwards tasks may, so a
   * repeat does nothing: it would give away what their links name.
   */
  void handOver(AttemptDir dir, TaskUser user) throws IOException {
    if (handedOver.contains(dir.folder())) return;
    for (var subfolder : AttemptDir.ROOMS) {
      FileTrees.chown(dir.folder().resolve(subfolder), user);
    }
    // Programs reopen /dev/stdout, which is this file.
    user.chown(dir.log().path());
    FileTrees.makeTraversable(dir.folder().resolve(AttemptDir.NOTICES));
    FileTrees.makeTraversable(root);
    FileTrees.makeTraversable(root.resolve("attempts"));
    FileTrees.makeTraversable(dir.folder());
    handedOver.add(dir.folder());
  }

  /** Opens a folder below the attempts' folder. */
  Optional<SecureDirectory> open(List<String> names) throws IOException {
    return attempts.walk(names);
  }

  /**
   * Empties a folder and keeps it for the next attempt: creating and deleting its subfolders costs
   * a short task more than its process does. A folder that was handed to another user is deleted,
   * because that user's other tasks may hold it open.
   */
  void takeBack(Path folder) throws IOException {
    if (handedOver.remove(folder)) {
      attempts.remove(folder.getFileName());
      return;
    }
    var open = attempts.walk(List.of(String.valueOf(folder.getFileName())));
    if (open.isEmpty()) {
      // The task replaced the folder by something else.
      attempts.remove(folder.getFileName());
      return;
    }
    try (var all = open.get()) {
      var missing = new HashSet<>(AttemptDir.SUBFOLDERS);
      for (var entry : all.names()) {
        var name = entry.toString();
        if (AttemptDir.SUBFOLDERS.contains(name) && all.isFolder(entry)) {
          clear(all, name);
          missing.remove(name);
        } else {
          all.remove(entry);
        }
      }
      for (var subfolder : missing) FileTrees.createPrivate(folder.resolve(subfolder));
    }
    empty.add(folder);
  }

  private static void clear(SecureDirectory all, String subfolder) throws IOException {
    try (var inner = all.opened(Path.of(subfolder))) {
      inner.clear();
    }
  }

  /** Free bytes on the folder's disk. */
  public long free() throws IOException {
    return disk.getUsableSpace();
  }

  /** All bytes of the folder's disk. */
  long size() throws IOException {
    return disk.getTotalSpace();
  }

  @Override
  public void close() throws IOException {
    for (var folder = empty.poll(); folder != null; folder = empty.poll()) {
      attempts.remove(folder.getFileName());
    }
    attempts.close();
    TemporaryLink.delete(temporary, root.resolve("attempts"));
    lockFile.close();
  }
}
