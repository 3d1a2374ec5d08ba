package dev.mayfly.cli.session;

import dev.mayfly.cli.error.CommandException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes arguments so that a POSIX shell reads exactly them. ssh hands one text to the login shell
 * of the other side, which is the only shell between a user's arguments and a machine.
 */
public final class ShellQuoting {
  private ShellQuoting() {}

  /** The words as one command line. */
  public static String line(List<String> words) {
    return words.stream().map(ShellQuoting::word).collect(Collectors.joining(" "));
  }

  /** In single quotes nothing has a meaning but the quote itself. */
  private static String word(String text) {
    if (text.indexOf('\0') >= 0)
      throw CommandException.input("an argument has a NUL character, which no command can receive");
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
