package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.TaskOutcome;
import dev.mayfly.core.model.TaskOutcome.Result;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.Places;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Url;
import dev.mayfly.core.port.Write;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EndingTest {
  private final Lab lab = new Lab();

  private ObjectInfo output(String url) {
    lab.put(url, "result", Map.of());
    return lab.objects.find(Url.of(url)).orElseThrow();
  }

  private void sentinel(String output, long task, long generation) {
    lab.put(
        output + ".COMPLETE",
        "",
        Map.of(
            "mayfly-job",
            "j",
            "mayfly-task",
            Long.toString(task),
            "mayfly-attempt",
            "s0e1",
            "mayfly-generation",
            Long.toString(generation)));
  }

  /** A job whose tasks an agent reports as done. */
  private void run(String job, long tasks) {
    lab.submit(Lab.count(job, tasks));
    var w = lab.machine("w-" + job);
    w.appetite = Map.of(lab.job(job).uid(), tasks);
    w.ask();
    w.finish();
    while (lab.open(job) > 0) {
      w.ask();
      w.finish();
    }
  }

  private List<TaskOutcome> outcome(String job) {
    var url = Places.of("gs://lab").outcome(lab.job(job).uid(), 0);
    return lab.codec.outcomes(lab.objects.read(url, 1 << 24).orElseThrow());
  }

  private List<Result> results(String job) {
    return outcome(job).stream().map(TaskOutcome::result).toList();
  }

  @Test
  void everyKindOfResultIsTold() {
    run("j", 6);
    sentinel("gs://lab/out/j/0", 0, output("gs://lab/out/j/0").generation());
    sentinel("gs://lab/out/j/1", 1, output("gs://lab/out/j/1").generation() + 1);
    sentinel("gs://lab/out/j/2", 2, 0);
    lab.put("gs://lab/out/j/3.COMPLETE");
    sentinel("gs://lab/out/j/4", 4, output("gs://lab/out/j/4/index.json").generation());
    lab.deliver();

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
    assertThat(outcome("j").get(0).by()).contains("j/s0e1");
    assertThat(lab.end("j")).startsWith("FAILED: 4 done, 2 inconsistent");
  }

  @Test
  void aDirectorysIndexThatWasReplacedIsInconsistent() {
    run("j", 1);
    sentinel("gs://lab/out/j/0", 0, output("gs://lab/out/j/0/index.json").generation() + 1);
    lab.deliver();
    assertThat(results("j")).containsExactly(Result.INCONSISTENT);
  }

  @Test
  void anOutcomeIsMadeInPiecesAndOnce() {
    var many = new Lab(1_000);
    for (var i = 0; i < 25_000; i++) many.put("gs://lab/out/p/" + i + ".COMPLETE");
    many.submit(Lab.count("p", 25_000));
    many.deliver();
    var job = many.job("p");

    assertThat(many.end("p")).isEqualTo("SUCCEEDED: 25,000 done");
    var pieces =
        many.objects
            .list(Url.of("gs://lab/mayfly/.jobs/" + job.uid() + "/outcome/"), "", 100)
            .objects();
    assertThat(pieces)
        .hasSize(3)
        .extracting(p -> p.metadata().get("mayfly-done"))
        .containsExactly("10000", "10000", "5000");
    many.control.look(new Hint.Audit(many.uid, job.uid()));
    assertThat(many.job("p")).isEqualTo(job);
  }

  @Test
  void anEndIsNotLostToABusyQueue() {
    run("j", 1);
    lab.submit(Lab.count("other", 1));
    sentinel("gs://lab/out/j/0", 0, 0);
    var turns = new Key.OfTurns(lab.uid);
    lab.ledger.before(
        w -> w.stream().anyMatch(x -> x.key().equals(turns)),
        () -> {
          var stored = lab.store.read(turns).orElseThrow();
          var touched = new Turns(lab.uid, lab.now(), stored.value().rows());
          lab.store.commit(List.of(new Write.Update(touched, stored.version())));
        });
    lab.deliver();

    assertThat(lab.end("j")).isEqualTo("SUCCEEDED: 1 done");
    assertThat(lab.store.read(turns).orElseThrow().value().rows())
        .extracting(Turns.Row::name)
        .containsExactly("other");
  }

  @Test
  void aStopThatComesFirstStopsItsJobAtBirth() {
    var late = lab.message(new Command.SubmitJob(Lab.count("j", 5), Optional.empty()));
    lab.stop("j");
    lab.control.intake().receive(late);

    assertThat(lab.end("j")).startsWith("STOPPED");
    assertThat(lab.shards("j")).isEmpty();
    lab.submit(Lab.count("j", 5));
    assertThat(lab.job("j").state())
        .as("published after the stop")
        .isInstanceOf(JobState.Running.class);
  }

  @Test
  void anOldStopDoesNotStopAJobPublishedAfterIt() {
    var old = lab.message(new Command.StopJob("lab", "j"));
    lab.submit(Lab.count("j", 5));
    lab.control.intake().receive(old);
    assertThat(lab.job("j").state()).isInstanceOf(JobState.Running.class);
  }

  @Test
  void aJobThatNobodyRunsStopsAtOnce() {
    lab.submit(Lab.count("j", 5));
    lab.stop("j");
    lab.deliver();

    assertThat(lab.end("j")).isEqualTo("STOPPED: 0 done, 5 not finished");
    assertThat(lab.store.read(new Key.OfTurns(lab.uid)).orElseThrow().value().rows()).isEmpty();
  }

  @Test
  void aJobWhoseTasksAreBeingListedStopsToo() {
    var wide = new Lab(1_000);
    wide.submit(Lab.count("j", 30_000));
    wide.stop("j");
    wide.deliver();
    assertThat(wide.end("j")).startsWith("STOPPED");

    wide.publish(new Command.RetryJob("lab", "j"));
    wide.deliver();
    assertThat(wide.job("j").state())
        .as("it goes on with the list")
        .isInstanceOf(JobState.Running.class);
    assertThat(wide.open("j")).isEqualTo(30_000);
  }

  @Test
  void aJobThatEndedStaysAsItEnded() {
    run("j", 1);
    sentinel("gs://lab/out/j/0", 0, 0);
    lab.deliver();
    var ended = lab.job("j");
    lab.stop("j");
    lab.deliver();
    assertThat(lab.job("j")).isEqualTo(ended);
  }

  @Test
  void aRetryRunsWhatIsNotDoneAndForgetsHowItEnded() {
    run("j", 4);
    sentinel("gs://lab/out/j/0", 0, output("gs://lab/out/j/0").generation());
    sentinel("gs://lab/out/j/1", 1, 77);
    sentinel("gs://lab/out/j/2", 2, 0);
    lab.deliver();
    lab.publish(new Command.RetryJob("lab", "j"));

    assertThat(lab.open("j"))
        .as("the inconsistent one and the one without a sentinel")
        .isEqualTo(2);
    assertThat(lab.objects.find(Url.of("gs://lab/out/j/1.COMPLETE"))).isEmpty();
    assertThat(lab.objects.find(Url.of("gs://lab/out/j/0.COMPLETE"))).isPresent();
    assertThat(lab.job("j").totals()).isEmpty();
    assertThat(lab.job("j").outcome()).isEmpty();
    assertThat(lab.control.views().job("lab", "j").totals().done()).isEqualTo(2);

    var w = lab.machine("again");
    while (lab.open("j") > 0) {
      w.ask();
      w.finish();
    }
    sentinel("gs://lab/out/j/1", 1, 0);
    sentinel("gs://lab/out/j/3", 3, 0);
    lab.deliver();
    assertThat(lab.end("j")).isEqualTo("SUCCEEDED: 4 done");
    assertThat(results("j")).containsOnly(Result.DONE);
  }

  @Test
  void anOutcomeThatASlowAuditLeavesBehindIsNotTheNextEnds() {
    run("j", 1);
    lab.deliver();
    lab.publish(new Command.RetryJob("lab", "j"));
    lab.put(
        Places.of("gs://lab").outcome(lab.job("j").uid(), 0).toString(),
        "old",
        Map.of("mayfly-inconsistent", "1", "mayfly-finishing", "long ago"));
    var w = lab.machine("again");
    w.ask();
    w.finish();
    sentinel("gs://lab/out/j/0", 0, 0);
    lab.deliver();

    assertThat(lab.end("j")).isEqualTo("SUCCEEDED: 1 done");
    assertThat(results("j")).containsExactly(Result.DONE);
  }

  @Test
  void aRetryDeliveredTwiceIsOne() {
    run("j", 1);
    lab.deliver();
    var message = lab.publish(new Command.RetryJob("lab", "j"));
    var job = lab.job("j");
    lab.control.intake().receive(message);
    assertThat(lab.job("j")).isEqualTo(job);
  }

  @Test
  void aRetryOfWhatSucceededIsRefused() {
    lab.put("gs://lab/out/j/0.COMPLETE");
    lab.submit(Lab.count("j", 1));
    lab.deliver();
    assertThat(lab.refused(lab.publish(new Command.RetryJob("lab", "j"))))
        .singleElement()
        .asString()
        .contains("nothing to run again");
    assertThat(lab.refused(lab.publishLate(new Command.RetryJob("lab", "none"))))
        .singleElement()
        .asString()
        .contains("no job none");
  }

  @Test
  void aBadPlaceInALongListEndsItsJobWithTheReason() {
    for (var i = 0; i < 20_001; i++) lab.put("gs://lab/in/%06d".formatted(i));
    lab.submit(Lab.spec("j", new TaskSource.Inputs("gs://lab/in/*"), "nowhere/{stem}"));
    lab.deliver();
    assertThat(lab.store.query(new Query.LiveJobs(lab.uid)).complete()).isEmpty();
  }
}
