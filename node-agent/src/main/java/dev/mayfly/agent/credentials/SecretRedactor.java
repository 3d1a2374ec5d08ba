package dev.mayfly.agent.credentials;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The secret values known to an attempt or a pull, which must not appear in the agent's texts. */
public record SecretRedactor(List<String> values) {
  /** A shorter value would match ordinary words. */
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

  /** Replaces the values, and each line of a value with several lines. */
  public String redact(String text) {
    var clean = text;
    for (var part : parts()) clean = clean.replace(part, "[secret]");
    return clean;
  }

  /** The values and their single lines: one line of a key reveals enough. */
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
