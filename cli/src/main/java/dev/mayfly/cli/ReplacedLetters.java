package dev.mayfly.cli;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.PrintableText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Refuses arguments that are not text in UTF-8. Java has put the replacement character in the place
 * of what it could not read, and the words would reach tasks changed.
 */
final class ReplacedLetters {
  private static final String REPLACEMENT = "\uFFFD";

  /** The arguments of this process as they were given, on Linux. */
  static final Path GIVEN = Path.of("/proc/self/cmdline");

  private ReplacedLetters() {}

  /**
   * Throws {@link CommandException} for the first such argument.
   *
   * @param given the file with the arguments' bytes
   */
  static void check(Path given, String... args) {
    var replaced = Arrays.stream(args).filter(arg -> arg.contains(REPLACEMENT)).findFirst();
    if (replaced.isEmpty() || wereIn(given)) return;
    throw CommandException.input(
        "%s is not text in UTF-8 (%s stands for what cannot be read): write it in UTF-8, or put it into a file"
            .formatted(PrintableText.line(replaced.get()), REPLACEMENT));
  }

  /** Whether the characters are the caller's own. Other systems than Linux do not tell. */
  private static boolean wereIn(Path given) {
    try {
      var bytes = ByteBuffer.wrap(Files.readAllBytes(given));
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString().contains(REPLACEMENT);
    } catch (IOException notUtf8) {
      return false;
    }
  }
}
