package dev.mayfly.cli.job;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.query.WorkerStatus;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The workers that a job names and its cluster does not have. Only a warning, as they may join: the
 * job waits for them, and launches none.
 */
final class UnknownWorkers {
  private static final int NAMED = 10;

  private UnknownWorkers() {}

  /**
   * @param present asks for the cluster's workers
   */
  static Optional<InputError> of(JobSpec job, Supplier<List<WorkerStatus>> present) {
    if (job.place().workers().isEmpty()) return Optional.empty();
    var known = present.get().stream().map(WorkerStatus::name).sorted().toList();
    var unknown = job.place().workers().stream().filter(name -> !known.contains(name)).toList();
    if (unknown.isEmpty()) return Optional.empty();
    var some = String.join(", ", known.stream().limit(NAMED).toList());
    return Optional.of(
        new InputError(
            "workers",
            "cluster %s has no worker %s now, and a job that names workers launches none: unless they join, only the others run it; %s"
                .formatted(
                    job.cluster(),
                    String.join(" and no worker ", unknown),
                    known.isEmpty()
                        ? "it has no workers"
                        : "its workers are " + some + (known.size() > NAMED ? ", …" : ""))));
  }
}
