package dev.mayfly.cli.output;

import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Supplier;

/**
 * The output of a command. Every line loses what a terminal would obey, whoever wrote it: names of
 * objects, words of tasks, answers of clouds.
 *
 * @param out results
 * @param err messages
 * @param terminal whether {@code out} is a terminal, so that bars can be drawn
 * @param colour whether styles are shown
 * @param width columns; {@link #ENDLESS} without a terminal
 * @param program the command that the user types to run this program
 * @param zone where its reader is; asked for only when needed, because rules of zones load slowly
 */
public record Screen(
    PrintStream out,
    PrintStream err,
    boolean terminal,
    boolean colour,
    int width,
    ProgramName program,
    Supplier<ZoneId> zone) {
  /** The width of output that is not a terminal. */
  public static final int ENDLESS = 100_000;

  public void line(String text) {
    out.println(printable(text));
  }

  /** As {@link #line}, for Mayfly's own text, which may name commands. */
  public void say(String text) {
    line(program.rewrite(text));
  }

  public void lines(List<String> lines) {
    lines.forEach(this::line);
  }

  /** Writes a record of CSV, which ends as RFC 4180 has it wherever it is read. */
  public void csv(String fields) {
    out.print(PrintableText.text(fields) + "\r\n");
    out.flush();
  }

  /** Writes a message for people to stderr. */
  public void note(String text) {
    err.println(printable(program.rewrite(text)));
  }

  /** The text with this screen's styles, if it shows any, and no other commands of a terminal. */
  String printable(String text) {
    return colour ? PrintableText.styled(text) : PrintableText.text(text);
  }

  public String paint(Style style, String text) {
    return colour ? style.paint(text) : text;
  }

  /** A point in time, as {@link HumanFormat#moment}. */
  public String moment(Instant at, Instant now) {
    return HumanFormat.moment(at, now.atZone(zone.get()));
  }

  /** A point in time with its date, as {@link HumanFormat#stamp}. */
  String stamp(Instant at) {
    return HumanFormat.stamp(at, zone.get());
  }

  /** A line as several that fit, cut between words, the others indented. */
  List<String> wrapped(String line, int indent) {
    return WrappedText.hanging(line, width, indent);
  }

  /** The same screen with all text on stderr, because stdout is for a program. */
  public Screen toStderr() {
    return new Screen(err, err, false, false, width, program, zone);
  }

  /** The same screen with another width. */
  public Screen withWidth(int columns) {
    return new Screen(out, err, terminal, colour, columns, program, zone);
  }
}
