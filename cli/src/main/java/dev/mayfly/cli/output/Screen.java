package dev.mayfly.cli.output;

import java.io.PrintStream;
import java.util.List;

/**
 * The output of a command.
 *
 * @param out results
 * @param err messages
 * @param terminal whether {@code out} is a terminal, so that bars can be drawn
 * @param colour whether styles are shown
 * @param width columns; {@link #ENDLESS} without a terminal
 * @param program the command that the user types to run this program
 */
public record Screen(
    PrintStream out,
    PrintStream err,
    boolean terminal,
    boolean colour,
    int width,
    ProgramName program) {
  /** The width of output that is not a terminal. */
  public static final int ENDLESS = 100_000;

  public Screen(PrintStream out, PrintStream err, boolean terminal, boolean colour, int width) {
    this(out, err, terminal, colour, width, ProgramName.ON_PATH);
  }

  public void line(String text) {
    out.println(text);
  }

  /** As {@link #line}, for Mayfly's own text, which may name commands. */
  public void say(String text) {
    out.println(program.rewrite(text));
  }

  public void lines(List<String> lines) {
    lines.forEach(out::println);
  }

  /** Writes a message for people to stderr. */
  public void note(String text) {
    err.println(program.rewrite(text));
  }

  public String paint(Style style, String text) {
    return colour ? style.paint(text) : text;
  }

  /** The same screen with all text on stderr, because stdout is for a program. */
  public Screen toStderr() {
    return new Screen(err, err, false, false, width, program);
  }

  /** The same screen with another width. */
  public Screen withWidth(int columns) {
    return new Screen(out, err, terminal, colour, columns, program);
  }
}
