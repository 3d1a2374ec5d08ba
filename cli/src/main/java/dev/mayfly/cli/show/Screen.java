package dev.mayfly.cli.show;

import java.io.PrintStream;
import java.util.List;

/**
 * Where a command writes.
 *
 * @param out results
 * @param err messages
 * @param terminal whether {@code out} is one, so that bars may be drawn
 * @param colour whether tones are shown
 * @param width columns; what is not a terminal is as wide as it needs
 */
public record Screen(
    PrintStream out, PrintStream err, boolean terminal, boolean colour, int width) {
  /** Where nothing has to fit. */
  public static final int ENDLESS = 100_000;

  public void line(String text) {
    out.println(text);
  }

  public void lines(List<String> lines) {
    lines.forEach(out::println);
  }

  /** For people, beside the result. */
  public void note(String text) {
    err.println(text);
  }

  public String paint(Tone tone, String text) {
    return colour ? tone.paint(text) : text;
  }

  /** The same, with what people read on the error stream: results are for a program. */
  public Screen quiet() {
    return new Screen(err, err, false, false, width);
  }
}
