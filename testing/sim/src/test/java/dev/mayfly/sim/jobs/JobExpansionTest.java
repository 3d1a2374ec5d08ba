package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Long task lists are stored part by part, whatever happens between two parts. */
class JobExpansionTest {
  private final LabCluster labCluster = new LabCluster();

  private static JobSpec inputs(String name, String output) {
    return LabCluster.spec(name, new TaskSource.Inputs("gs://lab/in/*.txt"), output);
  }

  private void givenInputs(int n) {
    for (var i = 0; i < n; i++) labCluster.put("gs://lab/in/%06d.txt".formatted(i));
  }

  @Test
  void expansionSurvivesCrashAfterAnyCommit() {
    var big = new LabCluster(400);
    var spec = LabCluster.count("big", 30_000);
    var userMessage = big.message(new UserCommand.SubmitJob(spec, Optional.empty()));
    for (var crash = 0; crash < 1_000 && !began(big); crash++) {
      // A call claims the work, and does not come further than its next commit.
      var claims = big.jobs().isEmpty() ? 0 : 1;
      var commits = big.ledger.commits;
      big.ledger.unknown(_ -> big.ledger.commits - commits > claims);
      if (big.jobs().isEmpty())
        assertThatThrownBy(() -> big.controlPlane.commandHandler().handle(userMessage))
            .isInstanceOf(UnavailableException.class);
      else
        assertThatThrownBy(() -> big.controlPlane.handle(expand(big)))
            .isInstanceOf(UnavailableException.class);
    }
    big.ledger.unknown(w -> false);
    big.controlPlane.commandHandler().handle(userMessage);

    assertThat(big.jobs()).hasSize(1);
    assertThat(big.shards("big").size()).isGreaterThan(390);
    assertThat(big.shards("big").stream().mapToLong(Shard::size).sum()).isEqualTo(30_000);
    assertThat(big.open("big")).isEqualTo(30_000);
  }

  /** By the message alone, and by so few calls that it takes seconds on any ledger. */
  @Test
  void tenThousandTasksAreAcceptedByTheirMessage() {
    var sweep = IntStream.range(0, 10_000).mapToObj(i -> Map.of("seed", "" + i)).toList();
    var jobs =
        List.of(
            LabCluster.count("count", 10_000),
            LabCluster.spec("sweep", new TaskSource.Items(sweep), "gs://lab/out/{seed}"));

    for (var job : jobs) {
      labCluster.ledger.reads = 0;
      labCluster.ledger.commits = 0;
      labCluster.submit(job);

      assertThat(labCluster.job(job.name()).state()).isInstanceOf(JobState.Running.class);
      assertThat(labCluster.open(job.name())).isEqualTo(10_000);
      assertThat(labCluster.ledger.reads + labCluster.ledger.commits).isBetween(2, 30);
    }
  }

  private static boolean began(LabCluster labCluster) {
    return labCluster.jobs().stream().anyMatch(j -> j.state() instanceof JobState.Running);
  }

  private static Trigger expand(LabCluster labCluster) {
    return new Trigger.Expand(labCluster.uid, labCluster.jobs().getFirst().uid());
  }

  @Test
  void inputsAddedDuringRetriesLoseNoTask() {
    givenInputs(21_500);
    labCluster.submit(inputs("s", "gs://lab/out/{stem}"));
    // The first try of a part stores its lists; the result of its commit is unknown.
    labCluster.ledger.unknown(w -> true);
    assertThatThrownBy(() -> labCluster.controlPlane.handle(expand(labCluster)))
        .isInstanceOf(UnavailableException.class);
    labCluster.ledger.unknown(w -> false);
    labCluster.put("gs://lab/in/000000a.txt");
    labCluster.put("gs://lab/in/020100a.txt");
    labCluster.deliver();
    labCluster.controlPlane.handle(expand(labCluster));

    var job = labCluster.job("s");
    assertThat(job.state()).isInstanceOf(JobState.Running.class);
    var inputs = new java.util.TreeSet<String>();
    for (var i = 0L; i < job.tasks().count(); i += 1_000)
      for (var item :
          labCluster.codec.tasks(
              labCluster
                  .objects
                  .read(BucketLayout.of("gs://lab").tasks(job.uid(), i), 1 << 24)
                  .orElseThrow()))
        if (item.index() < job.tasks().count())
          assertThat(inputs.add(item.input().orElseThrow())).isTrue();
    assertThat(inputs)
        .hasSize((int) job.tasks().count())
        .contains("gs://lab/in/000000.txt", "gs://lab/in/021499.txt");
    assertThat(job.tasks().count()).isBetween(21_500L, 21_502L);
  }

  @Test
  void twoExpandersOfOneJobAgreeOnItsList() {
    givenInputs(20_500);
    labCluster.submit(inputs("t", "gs://lab/out/{stem}"));
    // Another call takes over from one that is slow, lists the same part with one more object, and
    // commits first.
    labCluster.ledger.before(
        _ -> labCluster.jobs().getFirst().state().workedUntil().isPresent(),
        () -> {
          labCluster.advance(60_000);
          labCluster.put("gs://lab/in/000000a.txt");
          labCluster.control("b").handle(expand(labCluster));
        });
    labCluster.controlPlane.handle(expand(labCluster));
    labCluster.deliver();

    var job = labCluster.job("t");
    assertThat(job.state()).isInstanceOf(JobState.Running.class);
    assertThat(job.tasks().count()).isEqualTo(20_500);
    var last =
        labCluster
            .objects
            .read(BucketLayout.of("gs://lab").tasks(job.uid(), 20_499), 1 << 24)
            .orElseThrow();
    assertThat(labCluster.codec.tasks(last).getLast().input()).contains("gs://lab/in/020499.txt");
  }
}
