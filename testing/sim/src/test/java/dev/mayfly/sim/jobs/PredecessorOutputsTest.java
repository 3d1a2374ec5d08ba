package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.jobs.TaskLister;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.sim.fixture.JobChains;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.spec.JobBuilder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Jobs whose tasks are the outputs of another job. */
class PredecessorOutputsTest {
  private final JobChains chains = new JobChains();
  private final LabCluster labCluster = chains.labCluster;

  private static JobSpec reader(Predecessor.On on) {
    return JobChains.after(
        LabCluster.spec("second", new TaskSource.InputsOf("first"), "gs://lab/out/second/{index}"),
        JobChains.after("first", on));
  }

  private void output(int index, String object) {
    labCluster.put("gs://lab/out/first/" + index + object);
    labCluster.put("gs://lab/out/first/" + index + ".COMPLETE");
  }

  private List<String> inputs() {
    var job = labCluster.job("second");
    return new TaskLister(labCluster.objects, labCluster.codec)
        .read(job, BucketLayout.of("gs://lab"), 0, job.tasks().count()).stream()
            .map(TaskItem::input)
            .flatMap(Optional::stream)
            .toList();
  }

  @Test
  void taskForEachOutputInOrder() {
    // By number, and not by name, where 10 comes before 2.
    for (var i = 0; i < 12; i++) output(i, i == 3 ? "/index.json" : "");
    labCluster.put("gs://lab/out/first/99");
    chains.submit(LabCluster.count("first", 12));
    chains.submit(reader(Predecessor.On.SUCCESS));
    chains.settle();
    chains.tick();

    assertThat(chains.state("second")).isEqualTo("Running");
    assertThat(inputs())
        .hasSize(12)
        .startsWith("gs://lab/out/first/0", "gs://lab/out/first/1", "gs://lab/out/first/2")
        .contains("gs://lab/out/first/3/index.json")
        .endsWith("gs://lab/out/first/10", "gs://lab/out/first/11");
  }

  @Test
  void outputWithoutSentinelIsNoInput() {
    output(0, "");
    labCluster.put("gs://lab/out/first/1");
    chains.submit(LabCluster.count("first", 3));
    chains.submit(reader(Predecessor.On.END));

    chains.stop("first");
    chains.tick();

    assertThat(inputs()).containsExactly("gs://lab/out/first/0");
  }

  @Test
  void nothingDoneFailsWithReason() {
    chains.submit(LabCluster.count("first", 2));
    chains.submit(reader(Predecessor.On.END));

    chains.stop("first");
    chains.tick();

    assertThat(labCluster.end("second"))
        .contains("no task of job first left an output with a sentinel");
  }

  @Test
  void jobWithoutOutputsIsRefusedAtOnce() {
    chains.submit(withoutOutputs(LabCluster.count("first", 2)));

    var refused = labCluster.submit(reader(Predecessor.On.SUCCESS));

    assertThat(labCluster.refused(refused))
        .singleElement()
        .asString()
        .contains("tasks.inputsOf: job first says outputs: none", "tasks.inputs");
  }

  private static JobSpec withoutOutputs(JobSpec spec) {
    return JobBuilder.like(spec)
        .data(
            new JobSpec.Data(spec.data().output(), false, OutputMode.NONE, false, Optional.empty()))
        .build();
  }

  @Test
  void deletedOutcomeIsNamed() {
    output(0, "");
    chains.submit(LabCluster.count("first", 1));
    chains.tick();
    var outcome = labCluster.job("first").state().end().orElseThrow().outcome().orElseThrow();
    labCluster.delete(outcome);

    chains.submit(reader(Predecessor.On.SUCCESS));
    chains.tick();

    assertThat(labCluster.end("second")).contains("the outcome of job first is not at");
  }
}
