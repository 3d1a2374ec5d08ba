package dev.mayfly.core.model;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A running task that has stored a checkpoint.
 *
 * @param until when the newest of what its last checkpoint has was written
 */
public record KeptTask(long index, Instant until) {
  /** How much newer a checkpoint of a task must be to be worth a write of its own. */
  private static final Duration PAUSE = Duration.ofSeconds(15);

  /** Whether one of these is worth a write where those are stored. */
  public static boolean areNews(List<KeptTask> these, List<KeptTask> stored) {
    return these.stream()
        .anyMatch(task -> isNews(Optional.of(task.until), until(stored, task.index)));
  }

  /** Whether the time of a checkpoint is worth a write where that one is stored. */
  public static boolean isNews(Optional<Instant> until, Optional<Instant> stored) {
    if (until.isEmpty()) return false;
    return stored.isEmpty() || !until.get().isBefore(stored.get().plus(PAUSE));
  }

  /** Those of some tasks. */
  public static List<KeptTask> of(List<KeptTask> kept, List<Long> tasks) {
    return kept.stream().filter(task -> tasks.contains(task.index)).toList();
  }

  /** Until when the last checkpoints have what these tasks did. */
  public static Map<Long, Instant> until(Optional<List<KeptTask>> tasks) {
    var until = new HashMap<Long, Instant>();
    tasks.ifPresent(all -> all.forEach(task -> until.put(task.index, task.until)));
    return until;
  }

  private static Optional<Instant> until(List<KeptTask> tasks, long index) {
    return tasks.stream().filter(task -> task.index == index).map(KeptTask::until).findFirst();
  }
}
