package dev.mayfly.agent.logs;

import dev.mayfly.core.text.ErrorLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The last lines of a log that say why it ended, safe to print anywhere. */
public final class LogEvidence {
  private static final int BYTES = 16_384;
  private static final int CHARACTERS = 200;

  /** A shorter piece of a line explains nothing. */
  private static final int LEAST = 40;

  /** 128 and SIGKILL. */
  private static final int KILLED = 137;

  private static final String CUT = " \u2026 ";

  /**
   * Lines of stack traces that only a debugger needs: glog and abseil, gdb, backtrace(3), Open MPI,
   * Python's faulthandler, the JVM.
   */
  private static final Pattern FRAME =
      Pattern.compile(
          "^\\s*(PC: )?@\\s+(0x)?[0-9a-f]{6,}"
              + "|^\\s*#\\d+\\s+0x[0-9a-f]+"
              + "|\\[0x[0-9a-f]+\\]\\s*$"
              + "|\\] RAW: |^\\*\\*\\* (Check failure stack trace|Begin stack trace|End stack trace)"
              + "|^(Current thread|Thread) 0x[0-9a-f]+|^ +File \".*\", line \\d+ in |^Extension modules: "
              + "|^\\s+at [\\w.$/]+[(<]|^\\s+\\.\\.\\. \\d+ more$"
              // Marks below a line of source say nothing once that is cut.
              + "|^(\\[?rank\\d+\\]?: )?\\s*[~^][\\s~^]*$");

  // Colours and cursor movements; window titles; other escape sequences.
  private static final Pattern ESCAPES =
      Pattern.compile(
          "\u001B\\[[0-?]*[ -/]*[@-~]|\u001B\\][^\u0007\u001B]*(\u0007|\u001B\\\\)?|\u001B.?");

  private LogEvidence() {}

  /**
   * Of a program that failed: in whole lines, at most 200 characters, the last of which says why
   * ({@link ErrorLine}); may be empty. Omits addresses of native code, because the lines before
   * them explain the failure.
   */
  public static String of(LogFile log) {
    return read(log, ErrorLine::last);
  }

  /**
   * The same of a program that ended with this code. An error in the log of one that was killed is
   * not why it ended, so its last lines are kept.
   */
  public static String of(LogFile log, int exitCode) {
    return exitCode == KILLED ? read(log, UnaryOperator.identity()) : of(log);
  }

  private static String read(LogFile log, UnaryOperator<List<String>> until) {
    try {
      long from = Math.max(0, log.size() - BYTES);
      var text = new String(log.read(from, from + BYTES), StandardCharsets.UTF_8);
      return last(from == 0 ? text : text.substring(text.indexOf('\n') + 1), until);
    } catch (IOException e) {
      return "";
    }
  }

  static String last(String text) {
    return last(text, ErrorLine::last);
  }

  private static String last(String text, UnaryOperator<List<String>> until) {
    var lines =
        Stream.of(ESCAPES.matcher(text).replaceAll("").split("\n"))
            .filter(line -> !FRAME.matcher(line).find())
            .map(LogEvidence::shown)
            .filter(line -> !line.isBlank())
            .toList();
    var kept = "";
    for (var line : until.apply(lines).reversed()) {
      var remaining = CHARACTERS - kept.length() - (kept.isEmpty() ? 0 : 1);
      var whole = line.length() <= remaining;
      if (!whole && remaining < LEAST && !kept.isEmpty()) break;
      var shown = whole ? line : shortened(line, remaining);
      kept = kept.isEmpty() ? shown : shown + "\n" + kept;
      if (!whole) break;
    }
    return kept;
  }

  /** The start of a line names the failure, its end often the object, so omit the middle. */
  private static String shortened(String line, int remaining) {
    var head = remaining * 2 / 3;
    var tail = line.length() - (remaining - head - 3);
    return line.substring(0, isInside(line, head) ? head - 1 : head)
        + CUT
        + line.substring(isInside(line, tail) ? tail + 1 : tail);
  }

  /** Whether a cut there would leave halves of one character. */
  private static boolean isInside(String line, int at) {
    return Character.isLowSurrogate(line.charAt(at));
  }

  /**
   * A progress bar repeatedly overwrites its own line; keep the last state. An indentation says
   * what belongs together, as in a traceback.
   */
  private static String shown(String line) {
    var last = line.stripTrailing();
    last = last.substring(last.lastIndexOf('\r') + 1);
    return last.replace('\t', ' ').replaceAll("[\\p{Cntrl}\uFFFD]", "").stripTrailing();
  }
}
