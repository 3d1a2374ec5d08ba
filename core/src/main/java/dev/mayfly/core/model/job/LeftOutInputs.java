package dev.mayfly.core.model.job;

import java.util.Optional;

/**
 * Inputs of a job that it runs without, because their names cannot be used.
 *
 * @param first the URL of the first one, in printable form
 */
public record LeftOutInputs(long count, String first) {
  /** Together with those of later slices of the list. */
  public LeftOutInputs plus(Optional<LeftOutInputs> later) {
    return new LeftOutInputs(count + later.map(LeftOutInputs::count).orElse(0L), first);
  }
}
