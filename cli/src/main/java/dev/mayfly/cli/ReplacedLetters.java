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
  private static final Path GIVEN = Path.of("/proc/self/cmdline");

  private ReplacedLetters() {}

  /** Throws {@link CommandException} for the first such argument. */
  static void check(String... args) {
    var replaced = Arrays.stream(args).filter(arg -> arg.contains(REPLACEMENT)).findFirst();
    if (replaced.isEmpty() || wereGiven()) return;
    throw CommandException.input(
        "%s is not text in UTF-8 (%s stands for what cannot be read): write it in UTF-8, or put it into a file"
            .formatted(PrintableText.line(replaced.get()), REPLACEMENT));
  }

  /** Whether the characters are the caller's own. Other systems than Linux do not tell. */
  private static boolean wereGiven() {
    try {
      var bytes = ByteBuffer.wrap(Files.readAllBytes(GIVEN));
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString().contains(REPLACEMENT);
    } catch (IOException notUtf8) {
      return false;
    }
  }
}
