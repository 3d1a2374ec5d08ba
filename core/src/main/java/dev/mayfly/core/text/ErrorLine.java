package dev.mayfly.core.text;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Which line of a program's log says why it failed. It need not be the last: Python keeps what is
 * printed, and writes it behind the traceback. It is the exception of the last traceback, else the
 * last line that looks like an error, else the last line.
 */
public final class ErrorLine {
  private static final Pattern TRACEBACK =
      Pattern.compile("^(?<prefix>.*?)Traceback \\(most recent call last\\):\\s*$");

  /** What launchers raise where a process of theirs failed, which says nothing of why. */
  private static final Pattern LAUNCHER =
      Pattern.compile("^(\\S*\\.)?(ChildFailedError|CalledProcessError|ProcessExitedException)\\b");

  private static final Pattern EXCEPTION =
      Pattern.compile(
          "^(\\[?rank\\d+\\]?: )?([A-Za-z_$][\\w$]*\\.)*[A-Z]\\w*(Error|Exception|Interrupt)(:.*)?$"
              + "|^Exception in thread \"|^Caused by: ");

  /** {@code error: 0.25} of a training is no error. */
  private static final String MEASURED =
      "[-+]?\\d[\\d.]*(?:e[-+]?\\d+)?%?\\s*(?:$|[,;|/)\\]]|\\w+\\s*[=: ]\\s*[-+]?[\\d.]+)";

  /** Levels of logs in capitals, words of shells, compilers and libraries. */
  private static final Pattern ERROR =
      Pattern.compile(
          "\\b(FATAL|CRITICAL|ERROR|PANIC)\\b"
              + "|(^|[\\s\\[(:])(?i:fatal(?: \\w+)? error|fatal|error|panic|exception)\\]?: *(?!\\s|$|"
              + MEASURED
              + ")"
              + "|^(F|E)\\d{4} |\\bpanicked at\\b|^terminate called|^Segmentation fault|^Bus error"
              + "|^Aborted|^Killed|: command not found$|: not found$|: No such file or directory$"
              + "|: Permission denied$|\\b[Oo]ut of memory\\b|^RESOURCE_EXHAUSTED|^INTERNAL: ");

  private ErrorLine() {}

  /**
   * The lines up to the one that says why, with its detail where that is on the next line.
   *
   * @param lines none of them blank
   */
  public static List<String> last(List<String> lines) {
    if (lines.isEmpty()) return lines;
    var at = of(lines);
    var why = lines.get(at);
    var detailed = why.endsWith(":") && at + 1 < lines.size();
    var text = detailed ? why + " " + lines.get(at + 1).strip() : why;
    return IntStream.rangeClosed(0, at).mapToObj(i -> i < at ? lines.get(i) : text).toList();
  }

  private static int of(List<String> lines) {
    return exception(lines)
        .or(() -> lastLike(lines, EXCEPTION))
        .or(() -> lastLike(lines, ERROR))
        .orElse(lines.size() - 1);
  }

  /** Of the last traceback, before those of launchers, which come behind what failed. */
  private static Optional<Integer> exception(List<String> lines) {
    var found =
        IntStream.range(0, lines.size())
            .boxed()
            .flatMap(i -> ofTraceback(lines, i).stream())
            .toList()
            .reversed();
    return found.stream()
        .filter(at -> !LAUNCHER.matcher(lines.get(at).strip()).find())
        .findFirst()
        .or(() -> found.stream().findFirst());
  }

  /** Behind the frames, which are indented. Lines of other processes may stand between. */
  private static Optional<Integer> ofTraceback(List<String> lines, int start) {
    var head = TRACEBACK.matcher(lines.get(start));
    if (!head.matches()) return Optional.empty();
    var prefix = head.group("prefix").replace('+', ' ');
    return IntStream.range(start + 1, lines.size())
        .filter(i -> lines.get(i).startsWith(prefix))
        .filter(i -> !lines.get(i).startsWith(" ", prefix.length()))
        .boxed()
        .findFirst();
  }

  private static Optional<Integer> lastLike(List<String> lines, Pattern pattern) {
    return IntStream.range(0, lines.size())
        .map(i -> lines.size() - 1 - i)
        .filter(i -> pattern.matcher(lines.get(i)).find())
        .boxed()
        .findFirst();
  }
}
