package dev.mayfly.agent.os;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A process's last words, fit to be printed anywhere. */
public final class Evidence {
  private static final int BYTES = 4096;
  private static final int CHARACTERS = 200;

  // Colours and cursor movements; window titles; the rest that begins with an escape.
  private static final Pattern ESCAPES =
      Pattern.compile(
          "\u001B\\[[0-?]*[ -/]*[@-~]|\u001B\\][^\u0007\u001B]*(\u0007|\u001B\\\\)?|\u001B.?");

  private Evidence() {}

  /** The end of a log: whole lines where they fit, 200 characters at most; may be empty. */
  public static String of(Path log) {
    try (var file = FileChannel.open(log, StandardOpenOption.READ)) {
      long from = Math.max(0, file.size() - BYTES);
      var buffer = ByteBuffer.allocate(BYTES);
      while (buffer.hasRemaining() && file.read(buffer, from + buffer.position()) > 0) {
        // Until the end of the file.
      }
      return last(new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      return "";
    }
  }

  static String last(String text) {
    var plain =
        Stream.of(ESCAPES.matcher(text).replaceAll("").split("\n"))
            .map(Evidence::shown)
            .filter(line -> !line.isEmpty())
            .collect(Collectors.joining("\n"));
    if (plain.length() <= CHARACTERS) {
      return plain;
    }
    var end = plain.substring(plain.length() - CHARACTERS);
    int line = end.indexOf('\n');
    return line < 0 ? end : end.substring(line + 1);
  }

  /** A progress bar writes over its own line again and again. */
  private static String shown(String line) {
    var last = line.stripTrailing();
    last = last.substring(last.lastIndexOf('\r') + 1);
    return last.replaceAll("[\\p{Cntrl}\uFFFD]", "").strip();
  }
}
