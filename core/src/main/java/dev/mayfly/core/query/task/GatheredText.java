package dev.mayfly.core.query.task;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.gather.GatheredInputs;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.state.Context;
import java.util.Optional;

/** What a task reads as a folder, as the list of that says it. */
final class GatheredText {
  private GatheredText() {}

  /** Empty for other tasks, and where the list cannot be read. */
  static Optional<String> of(Context context, Job job, Optional<String> input) {
    if (!(job.spec().tasks() instanceof TaskSource.Gather)) return Optional.empty();
    return input
        .flatMap(list -> find(context, list))
        .flatMap(info -> GatheredInputs.what(info.metadata()));
  }

  private static Optional<ObjectInfo> find(Context context, String list) {
    try {
      return context.objects().find(ObjectUrl.of(list));
    } catch (DeniedException | InvalidInputException | UnavailableException unknown) {
      return Optional.empty();
    }
  }
}
