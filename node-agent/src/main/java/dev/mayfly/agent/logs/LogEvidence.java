package dev.mayfly.agent.logs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A process's last words, fit to be printed anywhere. */
public final class LogEvidence {
  private static final int BYTES = 16_384;
  private static final int CHARACTERS = 200;

  /** A piece of a line that is shorter tells nothing. */
  private static final int LEAST = 40;

  private static final String CUT = " \u2026 ";

  /**
   * Lines of stack traces that only a debugger understands: of glog and abseil, gdb, backtrace(3),
   * Open MPI, Python's faulthandler, the JVM.
   */
  private static final Pattern FRAME =
      Pattern.compile(
          "^\\s*(PC: )?@\\s+(0x)?[0-9a-f]{6,}"
              + "|^\\s*#\\d+\\s+0x[0-9a-f]+"
              + "|\\[0x[0-9a-f]+\\]\\s*$"
              + "|\\] RAW: |^\\*\\*\\* (Check failure stack trace|Begin stack trace|End stack trace)"
              + "|^(Current thread|Thread) 0x[0-9a-f]+|^ +File \".*\", line \\d+ in |^Extension modules: "
              + "|^\\s+at [\\w.$/]+[(<]|^\\s+\\.\\.\\. \\d+ more$");

  // Colours and cursor movements; window titles; the rest that begins with an escape.
  private static final Pattern ESCAPES =
      Pattern.compile(
          "\u001B\\[[0-?]*[ -/]*[@-~]|\u001B\\][^\u0007\u001B]*(\u0007|\u001B\\\\)?|\u001B.?");

  private LogEvidence() {}

  /**
   * The end of a log, from the begin of a line on, 200 characters at most; may be empty. Addresses
   * of native code are left out: the words that explain them stand before them.
   */
  public static String of(LogFile log) {
    try {
      long from = Math.max(0, log.size() - BYTES);
      var text = new String(log.read(from, from + BYTES), StandardCharsets.UTF_8);
      return last(from == 0 ? text : text.substring(text.indexOf('\n') + 1));
    } catch (IOException e) {
      return "";
    }
  }

  static String last(String text) {
    var lines =
        Stream.of(ESCAPES.matcher(text).replaceAll("").split("\n"))
            .filter(line -> !FRAME.matcher(line).find())
            .map(LogEvidence::shown)
            .filter(line -> !line.isEmpty())
            .toList();
    var kept = "";
    for (var line : lines.reversed()) {
      var room = CHARACTERS - kept.length() - (kept.isEmpty() ? 0 : 1);
      var whole = line.length() <= room;
      if (!whole && room < LEAST && !kept.isEmpty()) break;
      var shown = whole ? line : shortened(line, room);
      kept = kept.isEmpty() ? shown : shown + "\n" + kept;
      if (!whole) break;
    }
    return kept;
  }

  /** Its begin tells what failed, its end often with what; the middle is left out. */
  private static String shortened(String line, int room) {
    var head = room * 2 / 3;
    return line.substring(0, head) + CUT + line.substring(line.length() - (room - head - 3));
  }

  /** A progress bar writes over its own line again and again. */
  private static String shown(String line) {
    var last = line.stripTrailing();
    last = last.substring(last.lastIndexOf('\r') + 1);
    return last.replaceAll("[\\p{Cntrl}\uFFFD]", "").strip();
  }
}
