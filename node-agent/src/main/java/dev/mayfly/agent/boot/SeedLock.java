package dev.mayfly.agent.boot;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.agent.libc.NewFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A lock on a volume that several machines have: the numbered file with the highest number. Its
 * holder writes to it again and again; one that is not written to for three minutes, by the
 * volume's own clock, is a dead machine's, and the next number may be taken. Creating a file is
 * exclusive on NFS too, so that one machine gets each number.
 */
final class SeedLock {
  static final Duration DEAD = Duration.ofMinutes(3);
  private static final Pattern NAME = Pattern.compile("seed-lock-([0-9]{1,9})");

  private final Path folder;
  private final String owner;

  /**
   * @param folder on the volume
   * @param owner names this machine to people who look into the file
   */
  SeedLock(Path folder, String owner) {
    this.folder = folder;
    this.owner = owner;
  }

  /** The taken lock; empty while another machine has it. */
  Optional<Path> take() throws IOException {
    var newest = newest();
    if (newest > 0 && isAlive(file(newest))) return Optional.empty();
    var next = file(newest + 1);
    try {
      Files.writeString(next, owner, StandardOpenOption.CREATE_NEW);
      return Optional.of(next);
    } catch (FileAlreadyExistsException taken) {
      return Optional.empty();
    }
  }

  /** Shows that its holder lives. */
  void renew(Path lock) throws IOException {
    NewFile.replace(lock, owner.getBytes(UTF_8));
  }

  void release(Path lock) throws IOException {
    Files.deleteIfExists(lock);
  }

  private Path file(int number) {
    return folder.resolve("seed-lock-" + number);
  }

  private int newest() throws IOException {
    try (var files = Files.list(folder)) {
      return files
          .map(file -> NAME.matcher(String.valueOf(file.getFileName())))
          .filter(name -> name.matches())
          .mapToInt(name -> Integer.parseInt(name.group(1)))
          .max()
          .orElse(0);
    }
  }

  /** Machines' clocks differ: the time is that of a file written just now. */
  private boolean isAlive(Path lock) throws IOException {
    var now = Files.createTempFile(folder, "seed-now", "");
    try {
      var age =
          Files.getLastModifiedTime(now).toMillis() - Files.getLastModifiedTime(lock).toMillis();
      return age < DEAD.toMillis();
    } catch (NoSuchFileException released) {
      return false;
    } finally {
      Files.deleteIfExists(now);
    }
  }
}
