package dev.mayfly.cli.show;

import dev.mayfly.cli.preflight.Check;
import java.util.ArrayList;
import java.util.List;

/**
 * A preflight's checks for people: a line each, and below it what to run. Text is wrapped where the
 * terminal ends; a command is not, so that it can be copied.
 */
public record CheckLines(Screen screen) {
  private static final int ABOUT = 18;
  private static final int WORD = 8;

  public List<String> lines(List<Check> checks) {
    var lines = new ArrayList<String>();
    for (var check : checks) {
      var parts = wrap(Printable.line(check.text()), Math.max(30, screen.width() - ABOUT - WORD));
      lines.add(word(check) + ("%-" + ABOUT + "s").formatted(check.about()) + parts.getFirst());
      for (var part : parts.subList(1, parts.size())) lines.add(" ".repeat(WORD + ABOUT) + part);
      check
          .remedy()
          .ifPresent(r ->
              lines.add(" ".repeat(WORD) + screen.paint(Tone.FAINT, "run: ") + Printable.line(r)));
    }
    return lines;
  }

  private String word(Check check) {
    return switch (check.verdict()) {
      case OK -> screen.paint(Tone.GOOD, "ok") + "      ";
      case NOTE -> screen.paint(Tone.WARN, "note") + "    ";
      case WRONG -> screen.paint(Tone.BAD, "WRONG") + "   ";
      case DENIED -> screen.paint(Tone.BAD, "DENIED") + "  ";
    };
  }

  private static List<String> wrap(String text, int width) {
    var lines = new ArrayList<String>();
    var line = new StringBuilder();
    for (var word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
