package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.AttemptFailure;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tasks believed to be running when their holder was lost.
 *
 * @param began when each began, of those of which that is known
 * @param keptUntil until when their last checkpoints have what they did, of those with one
 */
public record ChargedTasks(
    List<Long> tasks, Map<Long, Instant> began, Map<Long, Instant> keptUntil) {
  public ChargedTasks {
    tasks = List.copyOf(tasks);
    began = Map.copyOf(began);
    keptUntil = Map.copyOf(keptUntil);
  }

  /** Those without a checkpoint. */
  public ChargedTasks(List<Long> tasks, Map<Long, Instant> began) {
    this(tasks, began, Map.of());
  }

  /** The same attempt with what is known of it. */
  AttemptFailure known(AttemptFailure failure) {
    var index = failure.index();
    var begun = Optional.ofNullable(began.get(index)).map(failure::begun).orElse(failure);
    return Optional.ofNullable(keptUntil.get(index)).map(begun::keptUntil).orElse(begun);
  }
}
