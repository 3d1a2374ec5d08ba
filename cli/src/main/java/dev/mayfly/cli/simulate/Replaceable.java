package dev.mayfly.cli.simulate;

import dev.mayfly.cli.error.CommandException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Which files an option may replace: those that it wrote before. */
final class Replaceable {
  /** Of a file, this is looked through. */
  private static final int LOOKED_AT = 4096;

  private Replaceable() {}

  /**
   * Refuses to replace another file, before anything runs.
   *
   * @param mark what the option's files have near their beginning
   * @param noun what they are
   */
  static void check(String option, Path path, String mark, String noun) {
    if (!Files.exists(path)) return;
    if (!Files.isRegularFile(path))
      throw CommandException.input("%s is %s, which is no file".formatted(option, path));
    try (var stream = Files.newInputStream(path)) {
      var begin = new String(stream.readNBytes(LOOKED_AT), StandardCharsets.UTF_8);
      if (!begin.isEmpty() && !begin.contains(mark))
        throw CommandException.input(
            "%s is %s, a file that is no %s of Mayfly; it is not replaced, name another one"
                .formatted(option, path, noun));
    } catch (IOException e) {
      throw CommandException.input("%s: %s cannot be read: %s".formatted(option, path, e), e);
    }
  }
}
