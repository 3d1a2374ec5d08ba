package dev.mayfly.agent.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.agent.libc.OpenFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Why a script cannot be started although it is there: the kernel says only that a file is not. */
final class ScriptFirstLine {
  /** What the kernel reads of it. */
  private static final int LONGEST = 256;

  private ScriptFirstLine() {}

  /** What is wrong with the file's {@code #!} line; empty if that is not it. */
  static Optional<String> problem(Path file) {
    var line = firstLine(file);
    if (!line.startsWith("#!")) return Optional.empty();
    if (line.endsWith("\r"))
      return Optional.of(
          "its first line ends in \\r, as lines end on Windows; write it with line ends of Unix (dos2unix)");
    var interpreter = line.substring(2).strip().split("[ \t]", 2)[0];
    return interpreter.isEmpty() || Files.exists(file.resolveSibling(interpreter))
        ? Optional.empty()
        : Optional.of("its first line names " + interpreter + ", which is missing");
  }

  private static String firstLine(Path file) {
    try (var channel = OpenFolder.fileAt(file).orElse(null)) {
      if (channel == null) return "";
      var buffer = ByteBuffer.allocate(LONGEST);
      while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
        // Until the end of the file.
      }
      var text = new String(buffer.array(), 0, buffer.position(), UTF_8);
      return text.substring(0, Math.max(0, text.indexOf('\n')));
    } catch (IOException unreadable) {
      return "";
    }
  }
}
