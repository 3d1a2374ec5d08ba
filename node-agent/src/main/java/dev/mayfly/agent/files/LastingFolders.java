package dev.mayfly.agent.files;

import dev.mayfly.agent.libc.NewFile;
import dev.mayfly.agent.process.TaskUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Folders that outlive tasks, a pair for each user that tasks run as: {@code $MAYFLY_CACHE}, which
 * all tasks of that user share whatever their job, and the finished setups of jobs.
 *
 * <p>Content is deleted only while the disk is short of space, what was used longest ago first: a
 * setup while no attempt uses it, an entry of a cache while no attempt is on the machine.
 */
public final class LastingFolders {
  private static final String CACHE = "cache";
  private static final String SETUPS = "setups";
  private static final String COMPLETE = "complete";

  private final WorkDir workDir;
  private final DiskHealth diskHealth;
  private final Set<String> attempts = new HashSet<>();
  private final Map<String, Path> setups = new HashMap<>();

  public LastingFolders(WorkDir workDir, DiskHealth diskHealth) {
    this.workDir = workDir;
    this.diskHealth = diskHealth;
  }

  /**
   * A setup's folder.
   *
   * @param folder the agent's own
   * @param content what tasks see, and what their user owns while it is made
   */
  public record SetupFolder(Path folder, Path content) {
    /** Whether {@link #complete} was called, here or by an earlier agent. */
    public boolean isComplete() {
      return Files.isRegularFile(folder.resolve(COMPLETE), LinkOption.NOFOLLOW_LINKS)
          && Files.isDirectory(content, LinkOption.NOFOLLOW_LINKS);
    }

    /** Makes it usable; call it when everything is there. */
    public void complete() throws IOException {
      mark(folder);
    }
  }

  /**
   * The cache for tasks of this user, which is kept as it is until {@link #leave}. Repeated calls
   * give the same folder.
   *
   * @param attempt keeps it
   * @param user empty for tasks that run as the agent's user
   */
  public synchronized Path cache(String attempt, Optional<TaskUser> user) throws IOException {
    attempts.add(attempt);
    var cache = own(user).resolve(CACHE);
    if (Files.isDirectory(cache, LinkOption.NOFOLLOW_LINKS)) return cache;
    FileTrees.createPrivateAll(cache);
    if (user.isPresent()) user.get().chown(cache);
    return cache;
  }

  /**
   * The folder of a setup, complete or not, which is kept until {@link #leave}.
   *
   * @param key names its content
   */
  public synchronized SetupFolder setup(String attempt, String key, Optional<TaskUser> user)
      throws IOException {
    var all = own(user).resolve(SETUPS);
    Files.createDirectories(all);
    FileTrees.makeTraversable(all);
    var folder = all.resolve(key);
    setups.put(attempt, folder);
    var setup = new SetupFolder(folder, folder.resolve("env"));
    if (setup.isComplete()) mark(folder);
    return setup;
  }

  /** Makes a setup's folder anew and empty, without what an earlier try left in it. */
  public void renew(SetupFolder setup, Optional<TaskUser> user) throws IOException {
    remove(setup);
    Files.createDirectory(setup.folder());
    FileTrees.makeTraversable(setup.folder());
    FileTrees.createPrivate(setup.content());
    if (user.isPresent()) user.get().chown(setup.content());
  }

  /** Deletes a setup; a missing one is not an error. */
  public void remove(SetupFolder setup) throws IOException {
    remove(setup.folder());
  }

  /**
   * Keeps a finished setup and the caches until {@link #leave}.
   *
   * @param holder uses them; an attempt of its own name
   * @param content of the setup
   */
  public synchronized void hold(String holder, Optional<Path> content) {
    attempts.add(holder);
    content.map(Path::getParent).ifPresent(folder -> setups.put(holder, folder));
  }

  /** The attempt is over; does nothing for an unknown one. */
  public synchronized void leave(String attempt) {
    attempts.remove(attempt);
    setups.remove(attempt);
  }

  /** Makes room if the disk is short of space. Call it periodically and before a new setup. */
  public synchronized void trim() throws IOException {
    if (!diskHealth.isShort()) return;
    var used = Set.copyOf(setups.values());
    var candidates = new ArrayList<Path>();
    for (var setup : entries(SETUPS)) if (!used.contains(setup)) candidates.add(setup);
    if (attempts.isEmpty()) candidates.addAll(entries(CACHE));
    candidates.sort(Comparator.comparing(LastingFolders::lastUsed));
    for (var entry : candidates) {
      if (diskHealth.isRelieved()) return;
      remove(entry);
    }
  }

  /** The folder of everything that outlives this user's tasks. */
  private Path own(Optional<TaskUser> user) throws IOException {
    var all = workDir.root().resolve("lasting");
    var own = all.resolve(user.map(TaskUser::name).orElse("agent"));
    if (Files.isDirectory(own)) return own;
    FileTrees.createPrivateAll(all);
    FileTrees.createPrivateAll(own);
    if (user.isPresent())
      for (var folder : List.of(workDir.root(), all, own)) FileTrees.makeTraversable(folder);
    return own;
  }

  private List<Path> entries(String kind) throws IOException {
    var entries = new ArrayList<Path>();
    for (var user : children(workDir.root().resolve("lasting")))
      entries.addAll(children(user.resolve(kind)));
    return entries;
  }

  private static List<Path> children(Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) return List.of();
    try (var open = SecureDirectory.at(folder)) {
      return open.names().stream().map(folder::resolve).toList();
    }
  }

  /** Tasks own what is below, so no step may follow a link of theirs. */
  private static void remove(Path entry) throws IOException {
    var folder = entry.getParent();
    if (folder == null || !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) return;
    try (var open = SecureDirectory.at(folder)) {
      open.remove(entry.getFileName());
    }
  }

  /** When a setup was last used, or an entry of a cache last changed. */
  private static FileTime lastUsed(Path entry) {
    try {
      var mark = entry.resolve(COMPLETE);
      var folder = entry.getParent();
      var isSetup = folder != null && folder.endsWith(SETUPS) && Files.exists(mark);
      return Files.getLastModifiedTime(isSetup ? mark : entry, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException gone) {
      return FileTime.fromMillis(0);
    }
  }

  private static void mark(Path setup) throws IOException {
    NewFile.replace(setup.resolve(COMPLETE), new byte[0]);
  }
}
