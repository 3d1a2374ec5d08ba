package dev.mayfly.agent.process.kill;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.mayfly.agent.libc.NewFile;
import dev.mayfly.agent.libc.OpenFolder;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * An attempt's first process, as a file in the attempt's folder. A killed agent cannot tell the
 * next one which processes it started, and processes may lose the markers in their environment
 * ({@code env -i}, {@code sudo}). Every process that did not start its own session is in the first
 * process's.
 *
 * @param pid also the id of its session
 * @param started as in {@link ProcessTable.Entry}; 0 if it had already ended
 * @param boot of the machine, because process ids restart at boot
 */
public record FirstProcess(int pid, long started, String boot) {
  private static final String NAME = "session";
  private static final int LONGEST = 200;

  /** Stays the same as long as this process lives. */
  private static final String BOOT = currentBoot();

  /** Writes the record into the attempt's folder, with which it is deleted. */
  public static void write(Path folder, long pid) throws IOException {
    var started = new ProcessTable().find((int) pid).map(ProcessTable.Entry::started).orElse(0L);
    var line = pid + " " + started + " " + BOOT + "\n";
    NewFile.make(folder.resolve(NAME), line.getBytes(US_ASCII));
  }

  /**
   * The recorded sessions below the work directory whose ids are still valid. The kernel does not
   * reuse the id of a session that has members.
   */
  static Set<Integer> sessions(Path workRoot, ProcessTable table) {
    var sessions = new HashSet<Integer>();
    try (var folders = Files.newDirectoryStream(workRoot.resolve("attempts"))) {
      for (var folder : folders)
        read(folder.resolve(NAME))
            .filter(first -> first.boot.equals(BOOT) && first.isValid(table))
            .ifPresent(first -> sessions.add(first.pid));
    } catch (IOException none) {
      // No attempt was started here.
      return sessions;
    }
    return sessions;
  }

  private boolean isValid(ProcessTable table) {
    return table.find(pid).map(now -> now.started() == started).orElse(true);
  }

  private static Optional<FirstProcess> read(Path file) {
    try (var open = OpenFolder.fileAt(file).orElse(null)) {
      if (open == null) return Optional.empty();
      var line = new String(Channels.newInputStream(open).readNBytes(LONGEST), US_ASCII);
      var words = line.strip().split(" ");
      return words.length == 3
          ? Optional.of(
              new FirstProcess(Integer.parseInt(words[0]), Long.parseLong(words[1]), words[2]))
          : Optional.empty();
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static String currentBoot() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id"), US_ASCII).strip();
    } catch (IOException e) {
      return "-";
    }
  }
}
