package dev.mayfly.agent.credentials;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The secret values that an attempt or a pull knows; they leave this process in no text of ours.
 */
public record SecretRedactor(List<String> values) {
  /** A shorter one would be found in ordinary words. */
  private static final int SHORTEST = 4;

  public static final SecretRedactor NOTHING = new SecretRedactor(List.of());

  public SecretRedactor {
    values =
        values.stream()
            .filter(v -> v.length() >= SHORTEST)
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  public static SecretRedactor of(Collection<String> values) {
    return new SecretRedactor(List.copyOf(values));
  }

  /** The text without them, and without the lines of those that have several. */
  public String redact(String text) {
    var clean = text;
    for (var part : parts()) clean = clean.replace(part, "[secret]");
    return clean;
  }

  /** The values, each followed by its lines, of which any tells enough. */
  public List<String> parts() {
    return values.stream()
        .flatMap(v -> Stream.concat(Stream.of(v), v.lines().filter(l -> l.length() >= SHORTEST)))
        .distinct()
        .toList();
  }

  @Override
  public String toString() {
    return values.size() + " secrets";
  }
}
