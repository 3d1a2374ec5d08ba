package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.model.job.TaskOutcome.Result;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobCompletionTest {
  private final LabCluster labCluster = new LabCluster();

  private ObjectInfo output(String url) {
    labCluster.put(url, "result", Map.of());
    return labCluster.objects.find(ObjectUrl.of(url)).orElseThrow();
  }

  private void sentinel(String output, long task, long generation) {
    labCluster.put(
        output + ".COMPLETE",
        "",
        Map.of(
            "mayfly-job",
            labCluster.job("j").uid(),
            "mayfly-task",
            Long.toString(task),
            "mayfly-attempt",
            "s0e1",
            "mayfly-generation",
            Long.toString(generation)));
  }

  /** A job whose tasks an agent reports as done. */
  private void run(String job, long tasks) {
    labCluster.submit(LabCluster.count(job, tasks));
    var w = labCluster.machine("w-" + job);
    w.prefetch = Map.of(labCluster.job(job).uid(), tasks);
    w.syncAndWait();
    w.finish();
    while (labCluster.open(job) > 0) {
      w.syncAndWait();
      w.finish();
    }
  }

  private List<TaskOutcome> outcome(String job) {
    var objectUrl = BucketLayout.of("gs://lab").outcome(labCluster.job(job).uid(), 0);
    return labCluster.codec.outcomes(labCluster.objects.read(objectUrl, 1 << 24).orElseThrow());
  }

  private List<Result> results(String job) {
    return outcome(job).stream().map(TaskOutcome::result).toList();
  }

  @Test
  void outcomeNamesEveryKindOfResult() {
    run("j", 6);
    sentinel("gs://lab/out/j/0", 0, output("gs://lab/out/j/0").generation());
    sentinel("gs://lab/out/j/1", 1, output("gs://lab/out/j/1").generation() + 1);
    sentinel("gs://lab/out/j/2", 2, 0);
    labCluster.put("gs://lab/out/j/3.COMPLETE");
    sentinel("gs://lab/out/j/4", 4, output("gs://lab/out/j/4/index.json").generation());
    labCluster.deliver();

    assertThat(results("j"))
        .as("pinned, replaced since, without output, foreign, a directory, without sentinel")
        .containsExactly(
            Result.DONE,
            Result.INCONSISTENT,
            Result.DONE,
            Result.DONE,
            Result.DONE,
            Result.INCONSISTENT);
    assertThat(outcome("j").get(3).by()).contains("foreign");
    assertThat(outcome("j").get(0).by()).contains(labCluster.job("j").uid() + "/s0e1");
    assertThat(labCluster.end("j")).startsWith("FAILED: 4 done (1 before, 3 run), 2 inconsistent");
  }

  @Test
  void replacedDirectoryIndexIsInconsistent() {
    run("j", 1);
    sentinel("gs://lab/out/j/0", 0, output("gs://lab/out/j/0/index.json").generation() + 1);
    labCluster.deliver();
    assertThat(results("j")).containsExactly(Result.INCONSISTENT);
  }

  @Test
  void outcomeIsWrittenInPiecesOnce() {
    var many = new LabCluster(1_000);
    for (var i = 0; i < 25_000; i++) many.put("gs://lab/out/p/" + i + ".COMPLETE");
    many.submit(LabCluster.count("p", 25_000));
    many.deliver();
    var job = many.job("p");

    assertThat(many.end("p")).isEqualTo("SUCCEEDED: 25,000 done (25,000 before, 0 run)");
    var pieces =
        many.objects
            .list(ObjectUrl.of("gs://lab/mayfly/.jobs/" + job.uid() + "/outcome/"), "", 100)
            .objects();
    assertThat(pieces)
        .hasSize(3)
        .extracting(p -> p.metadata().get("mayfly-done"))
        .containsExactly("10000", "10000", "5000");
    many.controlPlane.handle(new Trigger.Finalize(many.uid, job.uid()));
    assertThat(many.job("p")).isEqualTo(job);
  }

  @Test
  void busyQueueDoesNotLoseCompletion() {
    run("j", 1);
    labCluster.submit(LabCluster.count("other", 1));
    sentinel("gs://lab/out/j/0", 0, 0);
    var jobQueue = new DocumentKey.OfJobQueue(labCluster.uid);
    labCluster.ledger.before(
        w -> w.stream().anyMatch(x -> x.key().equals(jobQueue)),
        () -> {
          var stored = labCluster.store.read(jobQueue).orElseThrow();
          var touched = new JobQueue(labCluster.uid, labCluster.now(), stored.value().rows());
          labCluster.store.commit(List.of(new LedgerWrite.Update(touched, stored.version())));
        });
    labCluster.deliver();

    assertThat(labCluster.end("j")).isEqualTo("SUCCEEDED: 1 done");
    assertThat(labCluster.store.read(jobQueue).orElseThrow().value().rows())
        .extracting(JobQueue.Row::name)
        .containsExactly("other");
  }

  @Test
  void earlyStopStopsJobAtSubmission() {
    var late =
        labCluster.message(new UserCommand.SubmitJob(LabCluster.count("j", 5), Optional.empty()));
    labCluster.stop("j");
    labCluster.controlPlane.commandHandler().handle(late);
    labCluster.deliver();

    assertThat(labCluster.end("j")).isEqualTo("STOPPED: stopped before it arrived");
    assertThat(outcome("j"))
        .hasSize(5)
        .allSatisfy(task -> {
          assertThat(task.result()).isEqualTo(Result.NOT_RUN);
          assertThat(task.reason()).contains("stopped before it arrived");
        });
    assertThat(labCluster.shards("j")).isEmpty();
    labCluster.submit(LabCluster.count("j", 5));
    assertThat(labCluster.job("j").state())
        .as("published after the stop")
        .isInstanceOf(JobState.Running.class);
  }

  @Test
  void oldStopSparesLaterJob() {
    var old = labCluster.message(new UserCommand.StopJob("lab", "j"));
    labCluster.submit(LabCluster.count("j", 5));
    labCluster.controlPlane.commandHandler().handle(old);
    assertThat(labCluster.job("j").state()).isInstanceOf(JobState.Running.class);
  }

  @Test
  void idleJobStopsAtOnce() {
    labCluster.submit(LabCluster.count("j", 5));
    labCluster.stop("j");
    labCluster.deliver();

    assertThat(labCluster.end("j"))
        .isEqualTo("STOPPED: 0 done, 5 not finished; stopped by a message");
    assertThat(
            labCluster
                .store
                .read(new DocumentKey.OfJobQueue(labCluster.uid))
                .orElseThrow()
                .value()
                .rows())
        .isEmpty();
  }

  @Test
  void expandingJobStops() {
    var wide = new LabCluster(1_000);
    wide.submit(LabCluster.count("j", 30_000));
    wide.stop("j");
    wide.deliver();
    assertThat(wide.end("j")).startsWith("STOPPED");

    wide.publish(new UserCommand.RetryJob("lab", "j"));
    wide.deliver();
    assertThat(wide.job("j").state())
        .as("it goes on with the list")
        .isInstanceOf(JobState.Running.class);
    assertThat(wide.open("j")).isEqualTo(30_000);
  }

  @Test
  void endedJobKeepsItsResult() {
    run("j", 1);
    sentinel("gs://lab/out/j/0", 0, 0);
    labCluster.deliver();
    var ended = labCluster.job("j");
    labCluster.stop("j");
    labCluster.deliver();
    assertThat(labCluster.job("j")).isEqualTo(ended);
  }

  @Test
  void retryRunsUnfinishedTasksAfresh() {
    run("j", 4);
    sentinel("gs://lab/out/j/0", 0, output("gs://lab/out/j/0").generation());
    sentinel("gs://lab/out/j/1", 1, 77);
    sentinel("gs://lab/out/j/2", 2, 0);
    labCluster.deliver();
    labCluster.publish(new UserCommand.RetryJob("lab", "j"));

    assertThat(labCluster.open("j"))
        .as("the inconsistent one and the one without a sentinel")
        .isEqualTo(2);
    assertThat(labCluster.objects.find(ObjectUrl.of("gs://lab/out/j/1.COMPLETE"))).isEmpty();
    assertThat(labCluster.objects.find(ObjectUrl.of("gs://lab/out/j/0.COMPLETE"))).isPresent();
    assertThat(labCluster.job("j").state().end()).isEmpty();
    assertThat(labCluster.controlPlane.statusQueries().job("lab", "j").totals().done())
        .isEqualTo(2);

    var w = labCluster.machine("again");
    while (labCluster.open("j") > 0) {
      w.syncAndWait();
      w.finish();
    }
    sentinel("gs://lab/out/j/1", 1, 0);
    sentinel("gs://lab/out/j/3", 3, 0);
    labCluster.deliver();
    assertThat(labCluster.end("j")).isEqualTo("SUCCEEDED: 4 done");
    assertThat(results("j")).containsOnly(Result.DONE);
  }

  @Test
  void staleOutcomeIsNotUsedAfterRetry() {
    run("j", 1);
    labCluster.deliver();
    labCluster.publish(new UserCommand.RetryJob("lab", "j"));
    labCluster.put(
        BucketLayout.of("gs://lab").outcome(labCluster.job("j").uid(), 0).toString(),
        "old",
        Map.of("mayfly-inconsistent", "1", "mayfly-finishing", "long ago"));
    var w = labCluster.machine("again");
    w.syncAndWait();
    w.finish();
    sentinel("gs://lab/out/j/0", 0, 0);
    labCluster.deliver();

    assertThat(labCluster.end("j")).isEqualTo("SUCCEEDED: 1 done");
    assertThat(results("j")).containsExactly(Result.DONE);
  }

  @Test
  void retryDeliveredTwiceHappensOnce() {
    run("j", 1);
    labCluster.deliver();
    var userMessage = labCluster.publish(new UserCommand.RetryJob("lab", "j"));
    var job = labCluster.job("j");
    labCluster.controlPlane.commandHandler().handle(userMessage);
    assertThat(labCluster.job("j")).isEqualTo(job);
  }

  @Test
  void retryOfSucceededJobIsRefused() {
    labCluster.put("gs://lab/out/j/0.COMPLETE");
    labCluster.submit(LabCluster.count("j", 1));
    labCluster.deliver();
    assertThat(labCluster.refused(labCluster.publish(new UserCommand.RetryJob("lab", "j"))))
        .singleElement()
        .asString()
        .contains("nothing to run again");
    assertThat(labCluster.refused(labCluster.publishLate(new UserCommand.RetryJob("lab", "none"))))
        .singleElement()
        .asString()
        .contains("no job none");
  }

  @Test
  void badPlaceInLongListEndsJob() {
    for (var i = 0; i < 20_001; i++) labCluster.put("gs://lab/in/%06d".formatted(i));
    labCluster.submit(
        LabCluster.spec("j", new TaskSource.Inputs("gs://lab/in/*"), "nowhere/{stem}"));
    labCluster.deliver();
    assertThat(labCluster.store.query(new LedgerQuery.LiveJobs(labCluster.uid)).requireComplete())
        .isEmpty();
  }
}
