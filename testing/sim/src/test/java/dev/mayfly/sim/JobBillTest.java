package dev.mayfly.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.worker.MachineUsage.Purpose;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.StatusQueries;
import dev.mayfly.core.query.task.TaskRequest;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.sim.world.World;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What a job pays for, beside the time of its tasks: some seconds for each are between the end of a
 * task and the write that says so, where its machine has no other task for its room.
 */
class JobBillTest {
  private static final int WORLDS = 30;
  private static final double MOST_BEYOND = 2;

  @Test
  void jobPaysForTimeOfItsTasks() {
    for (var seed = 1; seed <= WORLDS; seed++) {
      var world = EstimateCalibration.ended(seed, false);
      var queries = new StatusQueries(world.observer());
      var job = queries.jobs("lab", 1).getFirst();
      var ran = ran(queries, job);
      assertThat(paid(world, queries, job))
          .as("world %d, %d tasks", seed, job.tasks())
          .isBetween(0.99 * ran, ran + MOST_BEYOND * job.tasks());
    }
  }

  private static double ran(StatusQueries queries, JobStatus job) {
    return queries
        .tasks("lab", job.name(), new TaskRequest(Optional.empty(), 0, (int) job.tasks()))
        .tasks()
        .stream()
        .mapToDouble(JobBillTest::seconds)
        .sum();
  }

  private static double seconds(TaskStatus task) {
    var took = Duration.between(task.startedAt().orElseThrow(), task.endedAt().orElseThrow());
    return took.toMillis() / 1_000.0;
  }

  /** In seconds of one task's part of a machine. */
  private static double paid(World world, StatusQueries queries, JobStatus job) {
    var pool = queries.clusters().getFirst().spec().pools().getFirst();
    return world.truth().all(Usage.class).stream()
            .flatMap(usage -> usage.rows().stream())
            .filter(row -> row.purpose() == Purpose.TASKS)
            .mapToLong(Usage.Row::millis)
            .sum()
        / 1_000.0
        / job.spec().resources().dominantShare(pool.visible());
  }
}
