package dev.mayfly.sim.gather;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.gather.GatheredInputs;
import dev.mayfly.core.model.gather.GatheredInputs.GatheredObject;
import dev.mayfly.core.model.job.DoneRule;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.sim.fixture.JobChains;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.spec.JobBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Jobs with one task that reads many objects as a folder. */
class GatheredInputsTest {
  private static final String OUTPUT = "gs://lab/merged/all.json";

  private final JobChains chains = new JobChains();
  private final LabCluster labCluster = chains.labCluster;

  private static JobSpec merge(String glob) {
    return LabCluster.spec("merge", new TaskSource.Gather(new TaskSource.Inputs(glob)), OUTPUT);
  }

  private static JobSpec gather(Predecessor.On on) {
    return JobChains.after(
        LabCluster.spec("merge", new TaskSource.Gather(new TaskSource.InputsOf("first")), OUTPUT),
        JobChains.after("first", on));
  }

  private GatheredInputs gathered() {
    var list = BucketLayout.of("gs://lab").gathered(labCluster.job("merge").uid());
    return labCluster.codec.gathered(labCluster.objects.read(list, 1 << 20).orElseThrow());
  }

  private List<String> names() {
    return gathered().objects().stream().map(GatheredObject::name).toList();
  }

  private List<String> events() {
    return labCluster.controlPlane.statusQueries().explain("lab", "merge").events().stream()
        .filter(event -> event.what().equals("gathered"))
        .map(event -> event.why())
        .toList();
  }

  private void output(int index, String object) {
    labCluster.put("gs://lab/out/first/" + index + object);
    labCluster.put("gs://lab/out/first/" + index + ".COMPLETE");
  }

  @Test
  void oneTaskReadsAllObjectsOfPattern() {
    labCluster.put("gs://lab/runs/a/scores.json");
    labCluster.put("gs://lab/runs/b/scores.json");
    labCluster.put("gs://lab/runs/b/scores.json.COMPLETE");
    labCluster.put("gs://lab/runs/b/other.json");
    chains.submit(merge("gs://lab/runs/*/scores.json"));

    assertThat(labCluster.job("merge").tasks().count()).isEqualTo(1);
    assertThat(names()).containsExactly("a/scores.json", "b/scores.json");
    var task = labCluster.controlPlane.statusQueries().task("lab", "merge", 0);
    assertThat(task.gathered()).contains("2 objects of gs://lab/runs/*/scores.json");
    assertThat(events()).containsExactly("2 objects of gs://lab/runs/*/scores.json");
  }

  @Test
  void patternWithoutObjectsIsRefused() {
    var refused = labCluster.submit(merge("gs://lab/none/*.json"));

    assertThat(labCluster.refused(refused))
        .singleElement()
        .asString()
        .contains("no object matches gs://lab/none/*.json");
  }

  @Test
  void outputsOfJobAreGatheredWhenItEnds() {
    for (var i = 0; i < 3; i++) output(i, i == 1 ? "/index.json" : "");
    chains.submit(LabCluster.count("first", 3));
    chains.submit(gather(Predecessor.On.SUCCESS));
    chains.settle();
    chains.tick();

    assertThat(chains.state("merge")).isEqualTo("Running");
    assertThat(names()).containsExactly("0", "1", "2");
    assertThat(gathered().objects())
        .extracting(GatheredObject::folder)
        .containsExactly(false, true, false);
    assertThat(gathered().remark()).isEmpty();
  }

  @Test
  void missingOutputsAreCounted() {
    output(0, "");
    chains.submit(LabCluster.count("first", 3));
    chains.submit(gather(Predecessor.On.END));

    chains.stop("first");
    chains.tick();

    assertThat(names()).containsExactly("0");
    assertThat(events())
        .containsExactly(
            "1 output of job first; 2 of the 3 tasks of job first have no output now: they failed, or it was deleted since; mayfly tasks first says which");
  }

  @Test
  void failedPredecessorEndsMergeUnlessToldOtherwise() {
    output(0, "");
    chains.submit(LabCluster.count("first", 3));
    chains.submit(gather(Predecessor.On.SUCCESS));

    chains.stop("first");
    chains.tick();

    assertThat(labCluster.end("merge")).startsWith("STOPPED").contains("first");
  }

  @Test
  void nothingToGatherFailsWithReason() {
    chains.submit(LabCluster.count("first", 2));
    chains.submit(gather(Predecessor.On.END));

    chains.stop("first");
    chains.tick();

    assertThat(labCluster.end("merge"))
        .contains("no task of job first left an output with a sentinel");
  }

  @Test
  void sameObjectsCountAsSameInput() {
    labCluster.put("gs://lab/in/a");
    labCluster.put("gs://lab/in/b");
    chains.submit(merge("gs://lab/in/*"));
    var made = generation("merge");
    chains.stop("merge");
    labCluster.put(
        OUTPUT + ".COMPLETE", "", Map.of("mayfly-job", "past", "mayfly-input-generation", made));

    chains.submit(doneByInput(merge("gs://lab/in/*")));
    assertThat(labCluster.end("merge")).isEqualTo("SUCCEEDED: 1 done (1 before, 0 run)");

    labCluster.put("gs://lab/in/b", "changed", Map.of());
    chains.submit(doneByInput(merge("gs://lab/in/*")));
    assertThat(labCluster.open("merge")).isEqualTo(1);
  }

  private String generation(String job) {
    var list = BucketLayout.of("gs://lab").gathered(labCluster.job(job).uid());
    var info = labCluster.objects.find(ObjectUrl.of(list.toString())).orElseThrow();
    return Long.toString(GatheredInputs.generation(info.generation(), info.metadata()));
  }

  private static JobSpec doneByInput(JobSpec spec) {
    return JobBuilder.like(spec)
        .data(
            new JobSpec.Data(
                spec.data().output(),
                false,
                OutputMode.UPLOADED,
                false,
                Optional.of(new DoneRule(true, false, false, Optional.empty()))))
        .build();
  }
}
