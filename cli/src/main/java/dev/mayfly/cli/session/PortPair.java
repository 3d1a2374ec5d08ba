package dev.mayfly.cli.session;

import dev.mayfly.cli.error.CommandException;
import java.util.regex.Pattern;

/**
 * A port of this computer that leads to a port of a machine.
 *
 * @param local 0 for any free port
 */
record PortPair(int local, int remote) {
  private static final Pattern FORM = Pattern.compile("(?:([0-9]{0,5}):)?([0-9]{1,5})");
  private static final int MOST = 65_535;

  /** Parses {@code LOCAL:REMOTE}, {@code :REMOTE} for any free local port, or {@code PORT}. */
  static PortPair of(String text) {
    var form = FORM.matcher(text);
    if (!form.matches()) throw wrong(text);
    var remote = Integer.parseInt(form.group(2));
    var first = form.group(1);
    var local = first == null ? remote : first.isEmpty() ? 0 : Integer.parseInt(first);
    if (remote < 1 || remote > MOST || local > MOST) throw wrong(text);
    return new PortPair(local, remote);
  }

  private static CommandException wrong(String text) {
    return CommandException.input(
        "'"
            + text
            + "' is not a pair of ports; write LOCAL:REMOTE from 1 to 65535, such as 6006:6006");
  }
}
