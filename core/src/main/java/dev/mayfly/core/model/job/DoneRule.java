package dev.mayfly.core.model.job;

import dev.mayfly.core.model.TaskRanges;
import java.util.Map;
import java.util.Optional;

/**
 * Which sentinels of earlier jobs make a task done. Those of the job itself always do. Ask the rule
 * {@link #of} a task.
 *
 * @param input only those made from the present generation of the input
 * @param code only those made with the job's code
 * @param job none: every task runs again
 * @param again tasks that run again, whatever holds for the others
 */
public record DoneRule(boolean input, boolean code, boolean job, Optional<TaskRanges> again) {
  /** Any sentinel, whatever it was made from. */
  public static final DoneRule ANY = new DoneRule(false, false, false);

  private static final DoneRule NONE = new DoneRule(false, false, true);

  /** The same for all tasks. */
  public DoneRule(boolean input, boolean code, boolean job) {
    this(input, code, job, Optional.empty());
  }

  /** The rule for one task. */
  public DoneRule of(long index) {
    if (again.isEmpty()) return this;
    return again.get().has(index) ? NONE : new DoneRule(input, code, job);
  }

  /**
   * @param uid of the job
   * @param metadata of a sentinel
   * @param present what the job would make the output from
   */
  public boolean accepts(String uid, Map<String, String> metadata, MadeFrom present) {
    return accepts(uid, Sentinel.by(metadata), MadeFrom.of(metadata), present);
  }

  /** As above, with what the metadata says. */
  public boolean accepts(String uid, Optional<Sentinel.By> by, MadeFrom made, MadeFrom present) {
    if (equals(ANY) || by.filter(b -> b.job().equals(uid)).isPresent()) return true;
    return !job
        && (!input || made.input().equals(present.input()))
        && (!code || made.code().equals(present.code()));
  }
}
