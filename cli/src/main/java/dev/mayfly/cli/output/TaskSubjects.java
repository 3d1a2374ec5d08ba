package dev.mayfly.cli.output;

import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.task.TaskStatus;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * What tasks work on, for people who don't know them by number: an input or variables. Asks for few
 * tasks, each once; of the others it knows nothing.
 */
public final class TaskSubjects {
  /** A job whose tasks all fail must not ask for each of them. */
  private static final int MOST = 10;

  private final Map<Long, String> known = new HashMap<>();
  private final LongFunction<Optional<TaskStatus>> lookup;

  /**
   * @param lookup asks for one task of the job; empty if it can't be read
   */
  public TaskSubjects(LongFunction<Optional<TaskStatus>> lookup) {
    this.lookup = lookup;
  }

  /** Empty if the task has neither an input nor variables, or it isn't known. */
  String of(JobStatus job, long index) {
    if (job.spec().tasks() instanceof TaskSource.Count) return "";
    if (!known.containsKey(index) && known.size() < MOST) known.put(index, asked(index));
    return known.getOrDefault(index, "");
  }

  private String asked(long index) {
    return lookup.apply(index).map(TaskLines::work).orElse("");
  }
}
