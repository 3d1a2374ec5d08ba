package dev.mayfly.agent.machine;

import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.sync.MountUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures how full mounts are, again and again. It needs a thread of its own: the kernel keeps a
 * call waiting for as long as an NFS server does not answer. A bucket is never full, and is left
 * out.
 */
public final class MountUseWatch implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(MountUseWatch.class);
  private static final Duration EVERY = Duration.ofMinutes(1);
  private static final Duration UNTIL_MOUNTED = Duration.ofSeconds(2);

  private final List<Mount> mounts;
  private final Consumer<List<MountUse>> measured;
  private final Path table;

  /**
   * @param measured receives what was measured, if that was anything
   * @param table the kernel's mount table; what it lacks is not mounted yet
   */
  public MountUseWatch(List<Mount> mounts, Consumer<List<MountUse>> measured, Path table) {
    this.mounts = mounts.stream().filter(m -> m.kind() != Mount.Kind.GCS).toList();
    this.measured = measured;
    this.table = table;
  }

  /** Whether there is nothing to measure. */
  public boolean isEmpty() {
    return mounts.isEmpty();
  }

  @Override
  public void run() {
    try {
      while (true) {
        Thread.sleep(measure() ? EVERY : UNTIL_MOUNTED);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether all are there. */
  boolean measure() {
    var uses = new ArrayList<MountUse>();
    for (var mount : mounts)
      try {
        if (isThere(mount)) uses.add(use(mount));
      } catch (IOException gone) {
        LOG.debug("mount cannot be measured path={}", mount.path(), gone);
      }
    if (!uses.isEmpty()) measured.accept(uses);
    return uses.size() == mounts.size();
  }

  private static MountUse use(Mount mount) throws IOException {
    var store = Files.getFileStore(Path.of(mount.path()));
    var used = store.getTotalSpace() - store.getUnallocatedSpace();
    return new MountUse(mount.path(), mount.storage(), used + store.getUsableSpace(), used);
  }

  /** Before it is mounted, the folder is on the machine's own disk. */
  private boolean isThere(Mount mount) throws IOException {
    if (mount.kind() == Mount.Kind.FOLDER) return Files.isDirectory(Path.of(mount.path()));
    try (var lines = Files.lines(table)) {
      return lines
          .map(line -> line.split(" "))
          .anyMatch(fields -> fields.length > 1 && fields[1].equals(mount.path()));
    }
  }
}
