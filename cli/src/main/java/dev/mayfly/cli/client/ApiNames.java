package dev.mayfly.cli.client;

import dev.mayfly.cli.error.CommandException;
import java.util.regex.Pattern;

/**
 * Names as parts of a URL. A text that is no name would be another page of the read API, or none:
 * it is refused before anything is asked, with what a name is.
 */
final class ApiNames {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9_.]{0,127}");
  private static final Pattern OWNER = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9_.@+]{0,99}");
  private static final String LETTERS = "letters, digits, '-', '_' and '.'";

  private ApiNames() {}

  /** The cluster's name. Throws {@link CommandException} if it can be none. */
  static String cluster(String name) {
    if (NAME.matcher(name).matches()) return name;
    throw CommandException.input(
        "'%s' is not a cluster's name, which has only %s; see mayfly status"
            .formatted(name, LETTERS));
  }

  /**
   * @param owner empty for a job that is named without one
   */
  record JobName(String owner, String name) {}

  /** The parts of a job's address. Throws {@link CommandException} if it can be none. */
  static JobName job(String address) {
    var slash = address.indexOf('/');
    var owner = slash < 0 ? "" : address.substring(0, slash);
    var name = address.substring(slash + 1);
    if (NAME.matcher(name).matches() && (slash < 0 || OWNER.matcher(owner).matches()))
      return new JobName(owner, name);
    throw CommandException.input(
        "'%s' names no job; write NAME, OWNER/NAME or its uid, where a name has only %s; see mayfly jobs"
            .formatted(address, LETTERS));
  }
}
