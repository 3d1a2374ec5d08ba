package dev.mayfly.cli.context;

import dev.mayfly.cli.error.CommandException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes arguments so that a POSIX shell reads exactly them. ssh hands one text to the login shell
 * of the other side, which is the only shell between a user's arguments and a machine.
 */
public final class ShellQuoting {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+,][-A-Za-z0-9_./:@%+,=]*");

  private ShellQuoting() {}

  /** The words as one command line. */
  public static String line(List<String> words) {
    return words.stream().map(ShellQuoting::word).collect(Collectors.joining(" "));
  }

  /** The word as a person types it: in quotes only where a shell would read another. */
  public static String readable(String text) {
    return PLAIN.matcher(text).matches() ? text : word(text);
  }

  /** In single quotes nothing has a meaning but the quote itself. */
  private static String word(String text) {
    if (text.indexOf('\0') >= 0)
      throw CommandException.input("an argument has a NUL character, which no command can receive");
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
