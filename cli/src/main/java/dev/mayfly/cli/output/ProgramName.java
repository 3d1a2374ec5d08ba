package dev.mayfly.cli.output;

import java.util.Collection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The command that the user types to run this program, so that hints can be copied: {@code mayfly}
 * if it is on the path, else for example {@code ./mayfly}.
 */
public final class ProgramName {
  private final String name;
  private final Pattern commands;

  /**
   * @param name as the user typed it
   * @param verbs the commands: {@code mayfly} is replaced only before one of these
   */
  public ProgramName(String name, Collection<String> verbs) {
    this.name = name;
    commands =
        Pattern.compile("(?<![\\w./-])mayfly(?= (?:" + String.join("|", verbs) + "|COMMAND)\\b)");
  }

  /** Replaces the program name in commands within the text. */
  public String rewrite(String text) {
    if (name.equals("mayfly") || !text.contains("mayfly")) return text;
    return commands.matcher(text).replaceAll(Matcher.quoteReplacement(name));
  }

  public String name() {
    return name;
  }
}
