package dev.mayfly.cli.simulate;

import dev.mayfly.cli.error.CommandException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Lets an option replace only files that it wrote before. */
final class OverwriteCheck {
  /** Of a file, this is looked through. */
  private static final int LOOKED_AT = 4096;

  private OverwriteCheck() {}

  /**
   * Refuses to replace another file, before anything runs.
   *
   * @param mark what the option's files have near their beginning
   * @param noun what they are
   */
  static void check(String option, Path path, String mark, String noun) {
    if (!Files.exists(path)) return;
    if (!Files.isRegularFile(path))
      throw CommandException.input(
          "%s: %s is not a file; name another one".formatted(option, path));
    try (var stream = Files.newInputStream(path)) {
      var begin = new String(stream.readNBytes(LOOKED_AT), StandardCharsets.UTF_8);
      if (!begin.isEmpty() && !begin.contains(mark))
        throw CommandException.input(
            "%s: %s exists and is not a %s of Mayfly, so it is not replaced; name another file"
                .formatted(option, path, noun));
    } catch (IOException e) {
      throw CommandException.input("%s: %s cannot be read: %s".formatted(option, path, e), e);
    }
  }
}
