package dev.mayfly.core.model;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code deployment/creations}: how many TPUs the project asked for lately, by all of its clusters.
 * Cloud TPU takes {@value #A_MINUTE} creations a minute and project.
 */
public record Creations(List<Asked> asked) implements Document {
  public static final int A_MINUTE = 60;
  public static final Creations NONE = new Creations(List.of());
  private static final Duration MINUTE = Duration.ofMinutes(1);

  public Creations {
    asked = List.copyOf(asked);
  }

  /** So many at once. */
  public record Asked(Instant at, int count) {}

  /** How many more may be asked for now. What a clock that was set back left counts. */
  public int left(Instant now) {
    return Math.max(0, A_MINUTE - recent(now).stream().mapToInt(Asked::count).sum());
  }

  /** With so many more; what is over a minute old is forgotten. */
  public Creations with(int count, Instant now) {
    var next = new ArrayList<>(recent(now));
    next.add(new Asked(now, count));
    return new Creations(next);
  }

  private List<Asked> recent(Instant now) {
    return asked.stream().filter(a -> a.at().plus(MINUTE).isAfter(now)).toList();
  }

  @Override
  public Key.OfCreations key() {
    return new Key.OfCreations();
  }
}
