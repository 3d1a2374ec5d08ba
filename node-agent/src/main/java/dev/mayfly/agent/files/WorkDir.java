package dev.mayfly.agent.files;

import dev.mayfly.agent.logs.LogFile;
import dev.mayfly.agent.process.TaskUser;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The folder that an agent keeps everything in: {@code attempts/}, one private folder each, {@code
 * logs/} of these, {@code code/}, {@code registry/} with the logins of pulls, and {@code home/}.
 * One agent at a time.
 */
public final class WorkDir implements AutoCloseable {
  private final Path root;
  private final Path temporary;
  private final FileChannel lockFile;
  private final SecureDirectory attempts;
  private final AtomicLong opened = new AtomicLong();
  private final Queue<Path> empty = new ConcurrentLinkedQueue<>();
  private final Set<Path> handed = ConcurrentHashMap.newKeySet();

  private WorkDir(Path root, Path temporary, FileChannel lockFile, SecureDirectory attempts) {
    this.root = root;
    this.temporary = temporary;
    this.lockFile = lockFile;
    this.attempts = attempts;
  }

  /**
   * Opens the folder, made if need be, and takes it for this process. Call {@link #clean} once
   * nothing of an earlier incarnation runs in it.
   */
  public static WorkDir open(Path root) throws IOException {
    return open(root, Optional.empty());
  }

  /**
   * As {@link #open(Path)}.
   *
   * @param link a short name that tasks may use for their temporary folders
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
    return new WorkDir(root, temporary, file, SecureDirectory.at(attempts));
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

  /** A folder that tasks share and leave things in for others: it stays. */
  public Path home() throws IOException {
    return FileTrees.createPrivateAll(root.resolve("home"));
  }

  /** The folder of the attempts, by a name that is short. */
  Path temporary() {
    return temporary;
  }

  /** Deletes what an earlier incarnation left of its attempts and pulls; whole code stays. */
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

  /** Where logins are while images are pulled. */
  public static Path registry(Path root) {
    return root.resolve("registry");
  }

  /** No attempt can have its folder here, whatever its task: the disk is broken or full. */
  public static final class Broken extends IOException {
    private static final long serialVersionUID = 1;

    Broken(IOException cause) {
      super("no folder for an attempt can be made: " + cause, cause);
    }
  }

  /** A private and empty folder for an attempt. */
  public AttemptDir attempt() throws Broken {
    try {
      return made();
    } catch (IOException e) {
      throw new Broken(e);
    }
  }

  private AttemptDir made() throws IOException {
    var folder = empty.poll();
    if (folder == null) {
      folder =
          FileTrees.createPrivate(root.resolve("attempts").resolve("" + opened.incrementAndGet()));
      for (var room : AttemptDir.ROOMS) {
        FileTrees.createPrivate(folder.resolve(room));
      }
      FileTrees.createPrivate(folder.resolve(AttemptDir.NOTICES));
    }
    var log = LogFile.make(root.resolve("logs").resolve(folder.getFileName() + ".log"));
    return new AttemptDir(folder, folder.resolve("work"), log, this);
  }

  /**
   * Gives the rooms of an attempt to another user, and lets that user through to them. Until then
   * nobody but the agent could reach the folder: there is no link in it that a task put there.
   */
  void handOver(AttemptDir dir, TaskUser user) throws IOException {
    for (var room : AttemptDir.ROOMS) {
      FileTrees.chown(dir.folder().resolve(room), user);
    }
    // Programs open /dev/stdout, which is this file, anew.
    user.chown(dir.log().path());
    FileTrees.makeTraversable(dir.folder().resolve(AttemptDir.NOTICES));
    FileTrees.makeTraversable(root);
    FileTrees.makeTraversable(root.resolve("attempts"));
    FileTrees.makeTraversable(dir.folder());
    handed.add(dir.folder());
  }

  /** Opens what lies below the attempts' folder. */
  Optional<SecureDirectory> open(List<String> names) throws IOException {
    return attempts.walk(names);
  }

  /**
   * Empties a folder and keeps it for the next attempt: making and deleting its rooms costs a short
   * task more than its process does. One that another user had may be held open by that user's
   * other tasks, and is deleted.
   */
  void takeBack(Path folder) throws IOException {
    var name = String.valueOf(folder.getFileName());
    if (handed.remove(folder)) {
      attempts.remove(folder.getFileName());
      return;
    }
    var open = attempts.walk(List.of(name));
    if (open.isEmpty()) {
      // A task put something else in its place.
      attempts.remove(folder.getFileName());
      return;
    }
    try (var all = open.get()) {
      for (var entry : all.names()) if (!kept(all, entry)) all.remove(entry);
      for (var room : AttemptDir.ROOMS) {
        if (all.isFolder(Path.of(room))) clear(all, room);
        else FileTrees.createPrivate(folder.resolve(room));
      }
      if (all.isFolder(Path.of(AttemptDir.NOTICES))) clear(all, AttemptDir.NOTICES);
      else FileTrees.createPrivate(folder.resolve(AttemptDir.NOTICES));
    }
    empty.add(folder);
  }

  private static boolean kept(SecureDirectory all, Path entry) throws IOException {
    var name = entry.toString();
    var known = AttemptDir.ROOMS.contains(name) || name.equals(AttemptDir.NOTICES);
    return known && all.isFolder(entry);
  }

  private static void clear(SecureDirectory all, String room) throws IOException {
    try (var inner = all.opened(Path.of(room))) {
      inner.clear();
    }
  }

  /** Bytes that may still be written on its disk. */
  public long free() throws IOException {
    return Files.getFileStore(root).getUsableSpace();
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
