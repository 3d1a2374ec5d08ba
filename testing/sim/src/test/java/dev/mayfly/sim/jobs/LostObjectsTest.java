package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.sim.fixture.JobChains;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A job ends although its task list or its bucket was deleted while it ran. */
class LostObjectsTest {
  private static final BucketLayout BUCKET = BucketLayout.of("gs://lab");

  private final JobChains chains = new JobChains();
  private final LabCluster labCluster = chains.labCluster;

  private void givenInputs(int count) {
    for (var i = 0; i < count; i++) labCluster.put("gs://lab/in/%06d.txt".formatted(i));
    var inputs = new TaskSource.Inputs("gs://lab/in/*.txt");
    chains.submit(LabCluster.spec("j", inputs, "gs://lab/out/{stem}"));
  }

  private JobState.Ended end() {
    return labCluster.job("j").state().end().orElseThrow();
  }

  @Test
  void jobEndsWithoutItsTaskList() {
    givenInputs(300);
    labCluster.delete(BUCKET.tasks(labCluster.job("j").uid(), 0).toString());
    chains.stop("j");

    assertThat(labCluster.end("j"))
        .startsWith("STOPPED: 0 done, 300 not finished; stopped by a message")
        .contains("the job's task list was deleted");
    assertThat(end().totals().ready()).isEqualTo(300);
    var outcome = BUCKET.outcome(labCluster.job("j").uid(), 0);
    assertThat(end().outcome()).contains(outcome.toString());
    assertThat(labCluster.codec.outcomes(labCluster.objects.read(outcome, 1 << 20).orElseThrow()))
        .containsExactly(TaskOutcome.ofJob(end().reason()));
    assertThat(labCluster.submit(LabCluster.count("j", 1)))
        .as("its name is free")
        .satisfies(message -> assertThat(labCluster.refused(message)).isEmpty());
  }

  /** Whoever waits for it must not go on as if its outputs were there. */
  @Test
  void doneJobOfLostBucketHasNotSucceeded() {
    labCluster.submit(LabCluster.count("j", 9));
    var w = labCluster.machine("w");
    w.prefetch = Map.of(labCluster.job("j").uid(), 9L);
    while (labCluster.open("j") > 0) {
      w.syncAndWait();
      w.finish();
    }
    labCluster.objects.remove("gs://lab");
    chains.settle();

    assertThat(labCluster.end("j"))
        .startsWith("FAILED: 9 done; its outputs cannot be compared")
        .contains("its outcome cannot be written: gs://lab")
        .contains("there is no bucket gs://lab");
    assertThat(end().totals().done()).isEqualTo(9);
    assertThat(end().outcome()).isEmpty();
  }

  @Test
  void clusterOfLostBucketGoesDown() {
    givenInputs(300);
    labCluster.objects.remove("gs://lab");
    labCluster.publish(new UserCommand.DownCluster("lab"));
    chains.settle();
    for (var i = 0; i < 5; i++) chains.tick();

    assertThat(labCluster.cluster().phase()).isEqualTo(Cluster.Phase.GONE);
  }

  @Test
  void retryWithoutTaskListChangesNothing() {
    givenInputs(2_500);
    chains.stop("j");
    labCluster.delete(BUCKET.tasks(labCluster.job("j").uid(), 2_000).toString());
    var before = labCluster.shards("j");

    var retry = labCluster.publish(new UserCommand.RetryJob("lab", "j"));

    assertThat(labCluster.refused(retry)).singleElement().asString().contains("list was deleted");
    assertThat(labCluster.shards("j")).isEqualTo(before);
  }
}
