package dev.mayfly.local.machines;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The buckets that machines of this computer have mounted. A gcsfuse that is killed leaves its
 * mount behind, and one whose agent is dead is not seen as a process of its machine: it ends when
 * nothing is mounted any more.
 */
final class BucketMounts {
  private static final Logger LOG = LoggerFactory.getLogger(BucketMounts.class);
  private static final Path TABLE = Path.of("/proc/self/mounts");
  private static final long LIMIT_SECONDS = 10;

  /** For any user; with an older fuse; for root without fuse's programs. */
  private static final List<List<String>> PROGRAMS =
      List.of(
          List.of("fusermount3", "-u", "-z", "--"),
          List.of("fusermount", "-u", "-z", "--"),
          List.of("umount", "-l", "--"));

  private BucketMounts() {}

  /** Where a machine mounts its buckets; outside of its disk, which is deleted file by file. */
  static Path of(Path machine) {
    return machine.resolve("buckets").toAbsolutePath();
  }

  /**
   * Unmounts what gcsfuse has mounted below the folder, also what is in use. A mount that stays is
   * logged with what to run.
   */
  static void release(Path folder) {
    for (var place : below(folder.toAbsolutePath()))
      if (PROGRAMS.stream().noneMatch(program -> ran(program, place)))
        LOG.warn("{} stays mounted; run fusermount3 -u {}", place, place);
  }

  private static List<String> below(Path folder) {
    try (var lines = Files.lines(TABLE)) {
      return lines
          .map(line -> line.split(" "))
          .filter(fields -> fields.length > 2 && fields[2].equals("fuse.gcsfuse"))
          .map(fields -> unescaped(fields[1]))
          .filter(place -> Path.of(place).startsWith(folder))
          .toList();
    } catch (IOException none) {
      // Without a mount table, as on macOS, there is no such mount.
      return List.of();
    }
  }

  /** The kernel writes blanks and backslashes in octal. */
  private static String unescaped(String field) {
    return field.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\");
  }

  private static boolean ran(List<String> program, String place) {
    var argv = new ArrayList<>(program);
    argv.add(place);
    try {
      var process =
          new ProcessBuilder(argv)
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) return process.exitValue() == 0;
      process.destroyForcibly();
      return false;
    } catch (IOException missing) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
