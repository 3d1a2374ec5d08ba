package dev.mayfly.agent.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A short path to the attempts' folder for {@code TMPDIR}. A Unix socket's path has at most 107
 * bytes, and some programs append 70 to the temporary folder. Only the path is short; the data
 * stays on the disk of the work directory.
 */
final class TemporaryLink {
  private static final Logger LOG = LoggerFactory.getLogger(TemporaryLink.class);
  private static final int SHORT = 40;

  private TemporaryLink() {}

  /**
   * The folder itself if its path is short, else a symbolic link to it, created if missing. The
   * folder itself if the link cannot be created.
   *
   * @param asked the link's path; by default a name in {@code /tmp} derived from the folder's path
   */
  static Path to(Path attempts, Optional<Path> asked) {
    if (attempts.toString().length() + "/100/tmp".length() <= SHORT) return attempts;
    var link = asked.orElseGet(() -> named(attempts));
    try {
      if (!isOurs(link, attempts)) Files.createSymbolicLink(link, attempts);
      return link;
    } catch (IOException | UnsupportedOperationException e) {
      LOG.warn("TMPDIR of tasks is long: {} cannot be a link to {}: {}", link, attempts, e);
      return attempts;
    }
  }

  static void delete(Path link, Path attempts) throws IOException {
    if (!link.equals(attempts)) Files.deleteIfExists(link);
  }

  private static Path named(Path attempts) {
    var name = String.format(Locale.ROOT, "mayfly-%08x", attempts.toString().hashCode());
    return Path.of("/tmp").resolve(name);
  }

  /** Whether an earlier agent made the link. Another user could redirect a link of its own. */
  private static boolean isOurs(Path link, Path attempts) throws IOException {
    return Files.isSymbolicLink(link)
        && Files.readSymbolicLink(link).equals(attempts)
        && Files.getOwner(link, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(attempts));
  }
}
