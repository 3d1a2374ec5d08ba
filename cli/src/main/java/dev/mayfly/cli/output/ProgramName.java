package dev.mayfly.cli.output;

import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a user types to run this program, so that hints can be copied: {@code mayfly} where it is on
 * the path, else {@code ./mayfly} or the like.
 */
public final class ProgramName {
  /** One that is on the path. */
  static final ProgramName ON_PATH = new ProgramName("mayfly", List.of());

  private final String name;
  private final Pattern commands;

  /**
   * @param name as it was typed
   * @param verbs the commands: only before these a {@code mayfly} in a text is this program
   */
  public ProgramName(String name, Collection<String> verbs) {
    this.name = name;
    commands =
        Pattern.compile("(?<![\\w./-])mayfly(?= (?:" + String.join("|", verbs) + "|COMMAND)\\b)");
  }

  /** The text with the commands in it as they are typed here. */
  public String rewrite(String text) {
    if (name.equals("mayfly") || !text.contains("mayfly")) return text;
    return commands.matcher(text).replaceAll(Matcher.quoteReplacement(name));
  }

  public String name() {
    return name;
  }
}
