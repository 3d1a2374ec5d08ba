package dev.mayfly.cli.doctor;

import dev.mayfly.cli.output.PrintableText;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.cli.output.Style;
import dev.mayfly.cli.output.WrappedText;
import java.util.ArrayList;
import java.util.List;

/**
 * Formats check results: a line each, and the remedy below it. Text is wrapped at the terminal's
 * width; commands are not, so that they can be copied.
 */
record CheckLines(Screen screen) {
  private static final int ABOUT = 18;
  private static final int WORD = 8;

  public List<String> lines(List<CheckResult> checkResults) {
    var lines = new ArrayList<String>();
    for (var checkResult : checkResults) {
      var parts =
          WrappedText.lines(
              PrintableText.line(checkResult.text()), Math.max(30, screen.width() - ABOUT - WORD));
      lines.add(
          verdictWord(checkResult)
              + ("%-" + ABOUT + "s").formatted(checkResult.about())
              + parts.getFirst());
      for (var part : parts.subList(1, parts.size())) lines.add(" ".repeat(WORD + ABOUT) + part);
      checkResult
          .remedy()
          .ifPresent(r ->
              lines.add(
                  " ".repeat(WORD) + screen.paint(Style.FAINT, "run: ") + PrintableText.line(r)));
    }
    return lines;
  }

  private String verdictWord(CheckResult checkResult) {
    return switch (checkResult.verdict()) {
      case OK -> screen.paint(Style.GOOD, "ok") + "      ";
      case NOTE -> screen.paint(Style.WARN, "note") + "    ";
      case WRONG -> screen.paint(Style.BAD, "WRONG") + "   ";
      case DENIED -> screen.paint(Style.BAD, "DENIED") + "  ";
    };
  }
}
