package dev.mayfly.cli.output;

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
 * @param program what the user types to run this
 */
public record Screen(
    PrintStream out,
    PrintStream err,
    boolean terminal,
    boolean colour,
    int width,
    ProgramName program) {
  /** Where nothing has to fit. */
  public static final int ENDLESS = 100_000;

  public Screen(PrintStream out, PrintStream err, boolean terminal, boolean colour, int width) {
    this(out, err, terminal, colour, width, ProgramName.ON_PATH);
  }

  public void line(String text) {
    out.println(text);
  }

  /** As {@link #line}, for a text of ours that may name commands. */
  public void say(String text) {
    out.println(program.rewrite(text));
  }

  public void lines(List<String> lines) {
    lines.forEach(out::println);
  }

  /** For people, beside the result. */
  public void note(String text) {
    err.println(program.rewrite(text));
  }

  public String paint(Style style, String text) {
    return colour ? style.paint(text) : text;
  }

  /** The same, with what people read on the error stream: results are for a program. */
  public Screen toStderr() {
    return new Screen(err, err, false, false, width, program);
  }

  /** The same with another width. */
  public Screen withWidth(int columns) {
    return new Screen(out, err, terminal, colour, columns, program);
  }
}
