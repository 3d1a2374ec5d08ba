package dev.mayfly.cli.session;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Tells what a program writes to its stderr, line by line. A task or a machine may have written it,
 * so it does not reach the terminal as it is: the receiver takes out what a terminal would obey.
 */
public final class ErrorLines implements AutoCloseable {
  /** What has no line's end by then is told as a line. */
  private static final int LONGEST = 8_192;

  /** A program left in the background may keep the stream open. */
  private static final Duration REST = Duration.ofSeconds(1);

  private final Thread reader;

  private ErrorLines(Process process, Consumer<String> lines) {
    reader =
        Thread.ofPlatform()
            .daemon()
            .name("errors of a program")
            .start(() -> tell(process.errorReader(StandardCharsets.UTF_8), lines));
  }

  /**
   * @param process started with a pipe for its errors
   */
  public static ErrorLines of(Process process, Consumer<String> lines) {
    return new ErrorLines(process, lines);
  }

  private static void tell(Reader errors, Consumer<String> lines) {
    var line = new StringBuilder();
    try {
      for (var c = errors.read(); c >= 0; c = errors.read()) {
        var ends = c == '\n' || c == '\r';
        if (!ends) line.append((char) c);
        if (ends ? !line.isEmpty() : line.length() >= LONGEST) tell(line, lines);
      }
    } catch (IOException gone) {
      // The program was ended; what it said until then is told.
    }
    if (!line.isEmpty()) tell(line, lines);
  }

  private static void tell(StringBuilder line, Consumer<String> lines) {
    lines.accept(line.toString());
    line.setLength(0);
  }

  /** Waits until all is told that an ended program has said. */
  @Override
  public void close() {
    try {
      // Late lines are told while the command ends, if they come at all.
      var _ = reader.join(REST);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
