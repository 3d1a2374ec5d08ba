package dev.mayfly.sim.jobs;

import static dev.mayfly.core.model.job.Predecessor.On.SUCCESS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.ClusterLimits;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.query.task.TaskRequest;
import dev.mayfly.sim.fixture.JobChains;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A job of which no task could run has an outcome too. */
class UnstartedOutcomeTest {
  private final JobChains chains = new JobChains();
  private final LabCluster labCluster = chains.labCluster;

  private static JobSpec inputs(String name, String output) {
    return LabCluster.spec(name, new TaskSource.Inputs("gs://lab/in/*.txt"), output);
  }

  private void givenInputs(int count) {
    for (var i = 0; i < count; i++) labCluster.put("gs://lab/in/%06d.txt".formatted(i));
  }

  private List<TaskOutcome> outcome(String job) {
    var stored = labCluster.job(job);
    assertThat(stored.state().end().orElseThrow().outcome())
        .contains(BucketLayout.of("gs://lab").outcome(stored.uid(), 0).toString());
    var all = new ArrayList<TaskOutcome>();
    for (var piece = 0; ; piece++) {
      var at = BucketLayout.of("gs://lab").outcome(stored.uid(), piece);
      var bytes = labCluster.objects.read(at, 1 << 26);
      if (bytes.isEmpty()) return all;
      all.addAll(labCluster.codec.outcomes(bytes.get()));
    }
  }

  private void assertNotRun(String job, long tasks, String reason) {
    assertThat(outcome(job))
        .hasSize((int) tasks)
        .allSatisfy(task -> {
          assertThat(task.result()).isEqualTo(TaskOutcome.Result.NOT_RUN);
          assertThat(task.reason().orElseThrow()).contains(reason);
        });
    assertThat(labCluster.job(job).state().end().orElseThrow().totals().ready()).isEqualTo(tasks);
  }

  private void confirmAbove(long tasks) {
    var limits =
        new ClusterLimits(
            Optional.empty(), Map.of(), Optional.of(tasks), Optional.empty(), Optional.empty());
    labCluster.publish(
        new UserCommand.ApplyCluster(
            labCluster.cluster().spec().withLimits(limits), Optional.empty(), false));
  }

  @Test
  void listRefusedHalfwayTellsOfWhatWasListed() {
    confirmAbove(20_500);
    givenInputs(21_000);
    labCluster.submit(inputs("j", "gs://lab/out/{stem}"));
    labCluster.deliver();

    assertThat(labCluster.end("j"))
        .startsWith("FAILED: tasks: it has 21,000 tasks, above the 20,500");
    assertNotRun("j", 20_000, "above the 20,500");
    assertThat(outcome("j").getLast().input()).contains("gs://lab/in/019999.txt");
    var page =
        labCluster
            .controlPlane
            .statusQueries()
            .tasks("lab", "j", new TaskRequest(Optional.empty(), 19_999, 10));
    assertThat(page.tasks()).singleElement().extracting(t -> t.index()).isEqualTo(19_999L);
  }

  @Test
  void refusedListIsListedAnewByARetry() {
    confirmAbove(20_500);
    givenInputs(21_000);
    labCluster.submit(inputs("j", "gs://lab/out/{stem}"));
    labCluster.deliver();
    confirmAbove(100_000);

    labCluster.publish(new UserCommand.RetryJob("lab", "j"));
    labCluster.deliver();

    assertThat(labCluster.job("j").running()).isTrue();
    assertThat(labCluster.open("j")).isEqualTo(21_000);
    labCluster.stop("j");
    labCluster.deliver();
    assertNotRun("j", 21_000, "stopped by a message");
  }

  @Test
  void sharedOutputTellsOfEveryTask() {
    givenInputs(20_500);
    labCluster.submit(inputs("j", "gs://lab/out/same"));
    labCluster.deliver();
    assertThat(labCluster.jobs()).as("refused at once: the first slice shows it").isEmpty();

    for (var i = 0; i < 20_000; i++) labCluster.put("gs://lab/more/%06d.txt".formatted(i));
    labCluster.put("gs://lab/more/x/000000.txt");
    var spec =
        LabCluster.spec("k", new TaskSource.Inputs("gs://lab/more/**.txt"), "gs://lab/o/{stem}");
    labCluster.submit(spec);
    labCluster.deliver();

    assertThat(labCluster.end("k")).startsWith("FAILED: ");
    assertNotRun("k", 20_001, "gs://lab/o/000000");
  }

  @Test
  void stopWhileListingTellsOfWhatWasListed() {
    givenInputs(20_500);
    labCluster.submit(inputs("j", "gs://lab/out/{stem}"));
    var job = labCluster.jobs().getFirst();
    // The call that lists ends after its first slice.
    labCluster.ledger.before(
        writes -> labCluster.job("j").state() instanceof JobState.Expanding e && e.counted() > 0,
        () -> labCluster.stop("j"));
    labCluster.controlPlane.handle(new Trigger.Expand(labCluster.uid, job.uid()));
    labCluster.deliver();

    assertNotRun("j", 20_000, "stopped by a message");
  }

  @Test
  void waitingJobsTellOfTheTasksTheyName() {
    chains.submit(LabCluster.count("first", 1));
    chains.submit(JobChains.successor("stopped", JobChains.after("first", SUCCESS)));
    var items = new TaskSource.Items(List.of(Map.of("item", "a"), Map.of("item", "b")));
    chains.submit(
        JobChains.after(
            LabCluster.spec("items", items, "gs://lab/out/{item}"),
            JobChains.after("first", SUCCESS)));

    chains.stop("stopped");
    chains.stop("first");

    assertNotRun("stopped", 1, "stopped by a message");
    assertNotRun(
        "items",
        2,
        "its predecessor first was stopped; with after: [{job: first, on: end}] it starts then too");
    assertThat(outcome("items").getLast().variables()).containsEntry("item", "b");
  }

  @Test
  void jobWithoutKnownTasksHasOneLine() {
    chains.submit(LabCluster.count("first", 1));
    chains.submit(
        JobChains.after(inputs("j", "gs://lab/out/{stem}"), JobChains.after("first", SUCCESS)));
    chains.stop("first");

    var end = labCluster.job("j").state().end().orElseThrow();
    assertThat(outcome("j")).containsExactly(TaskOutcome.ofJob(end.reason()));
    assertThat(end.reason())
        .isEqualTo(
            "did not start: its predecessor first was stopped; with after: [{job: first, on: end}] it starts then too");
    assertThat(end.totals().ready()).isZero();
  }

  @Test
  void outcomeOfUnstartedJobIsWrittenOnce() {
    chains.submit(LabCluster.count("first", 1));
    chains.submit(JobChains.successor("j", JobChains.after("first", SUCCESS)));
    labCluster.stop("j");
    labCluster.deliver();
    var at = ObjectUrl.of(labCluster.job("j").state().end().orElseThrow().outcome().orElseThrow());
    var before = labCluster.objects.find(at).orElseThrow();

    labCluster.controlPlane.handle(new Trigger.Finalize(labCluster.uid, labCluster.job("j").uid()));

    assertThat(labCluster.objects.find(at)).contains(before);
  }

  @Test
  void jobEndsWithoutItsLostTaskList() {
    confirmAbove(20_500);
    givenInputs(21_000);
    labCluster.submit(inputs("j", "gs://lab/out/{stem}"));
    var uid = labCluster.jobs().getFirst().uid();
    labCluster.controlPlane.handle(new Trigger.Expand(labCluster.uid, uid));
    var list = BucketLayout.of("gs://lab").tasks(uid, 0);
    labCluster.objects.delete(list, labCluster.objects.find(list).orElseThrow().generation());
    labCluster.deliver();

    assertThat(labCluster.end("j")).startsWith("FAILED: tasks: it has 21,000 tasks");
    assertThat(outcome("j")).extracting(TaskOutcome::index).containsExactly(TaskOutcome.WHOLE_JOB);
  }
}
