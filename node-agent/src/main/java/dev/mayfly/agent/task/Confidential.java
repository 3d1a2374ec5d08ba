package dev.mayfly.agent.task;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** The secret values that one attempt knows; they leave this process in no text of ours. */
record Confidential(List<String> values) {
  /** A shorter one would be found in ordinary words. */
  private static final int SHORTEST = 4;

  static final Confidential NOTHING = new Confidential(List.of());

  Confidential {
    values =
        values.stream()
            .filter(v -> v.length() >= SHORTEST)
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  static Confidential of(Collection<String> values) {
    return new Confidential(List.copyOf(values));
  }

  /** The text without them, and without the lines of those that have several. */
  String redact(String text) {
    var clean = text;
    for (var value : values) {
      clean = clean.replace(value, "[secret]");
      for (var line : value.split("\n"))
        if (line.length() >= SHORTEST) clean = clean.replace(line, "[secret]");
    }
    return clean;
  }

  @Override
  public String toString() {
    return values.size() + " secrets";
  }
}
