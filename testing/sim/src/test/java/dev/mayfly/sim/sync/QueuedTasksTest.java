package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.spec.JobBuilder;
import dev.mayfly.sim.spec.RunBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What one machine has queued, and another has room for. */
class QueuedTasksTest {
  @Test
  void queuedTaskOfHigherPriorityComesBeforeLower() {
    var one = new LabCluster(1);
    one.submit(ranked("high", 800, 50));
    var rich = one.machine("rich");
    rich.total = Resources.cpu(1, 4L << 30);
    rich.room = rich.total;
    rich.syncAndWait();
    rich.prefetch = Map.of(one.job("high").uid(), 2_000L);
    rich.syncAndWait();
    rich.sync();
    one.advance(12_000);
    rich.sync();
    one.submit(ranked("low", 40, 10));
    one.advance(2_000);
    var poor = one.machine("poor");
    poor.sync();
    one.advance(100);

    var high = one.job("high").uid();
    assertThat(poor.held()).isNotEmpty().allMatch(it -> it.job().equals(high));
  }

  private static JobSpec ranked(String name, long tasks, int priority) {
    return JobBuilder.named(name)
        .tasks(new TaskSource.Count(tasks))
        .data(JobBuilder.uploads(Optional.of("gs://lab/out/" + name + "/{index}")))
        .run(RunBuilder.of("work", "{index}").timeout(Duration.ofMinutes(30)))
        .priority(priority)
        .build();
  }
}
