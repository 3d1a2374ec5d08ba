package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.core.port.Places;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Long lists of tasks are stored slice by slice, whatever comes between two slices. */
class ExpansionTest {
  private final Lab lab = new Lab();

  private static JobSpec inputs(String name, String output) {
    return Lab.spec(name, new TaskSource.Inputs("gs://lab/in/*.txt"), output);
  }

  private void givenInputs(int n) {
    for (var i = 0; i < n; i++) lab.put("gs://lab/in/%06d.txt".formatted(i));
  }

  @Test
  void aJobOfManyShardsIsExpandedInSlicesWhateverCrashesAfterWhicheverCommit() {
    var big = new Lab(400);
    var spec = Lab.count("big", 30_000);
    var message = big.message(new Command.SubmitJob(spec, Optional.empty()));
    big.ledger.unknown(w -> true);
    for (var crash = 0; crash < 1_000 && !began(big); crash++) {
      if (big.jobs().isEmpty())
        assertThatThrownBy(() -> big.control.intake().receive(message))
            .isInstanceOf(Unavailable.class);
      else assertThatThrownBy(() -> big.control.look(expand(big))).isInstanceOf(Unavailable.class);
    }
    big.ledger.unknown(w -> false);
    big.control.intake().receive(message);

    assertThat(big.jobs()).hasSize(1);
    assertThat(big.shards("big").size()).isGreaterThan(390);
    assertThat(big.shards("big").stream().mapToLong(Shard::size).sum()).isEqualTo(30_000);
    assertThat(big.open("big")).isEqualTo(30_000);
  }

  /** By the message alone, and by so few calls that it is a matter of seconds on any ledger. */
  @Test
  void tenThousandTasksAreAcceptedByTheirMessage() {
    var sweep = IntStream.range(0, 10_000).mapToObj(i -> Map.of("seed", "" + i)).toList();
    var jobs =
        List.of(
            Lab.count("count", 10_000),
            Lab.spec("sweep", new TaskSource.Items(sweep), "gs://lab/out/{seed}"));

    for (var job : jobs) {
      lab.ledger.reads = 0;
      lab.ledger.commits = 0;
      lab.submit(job);

      assertThat(lab.job(job.name()).state()).isInstanceOf(JobState.Running.class);
      assertThat(lab.open(job.name())).isEqualTo(10_000);
      assertThat(lab.ledger.reads + lab.ledger.commits).isBetween(2, 30);
    }
  }

  private static boolean began(Lab lab) {
    return lab.jobs().stream().anyMatch(j -> j.state() instanceof JobState.Running);
  }

  private static Hint expand(Lab lab) {
    return new Hint.Expand(lab.uid, lab.jobs().getFirst().uid());
  }

  @Test
  void objectsThatComeWhileSlicesAreTriedAgainLoseNoTaskAndDoubleNone() {
    givenInputs(21_500);
    lab.submit(inputs("s", "gs://lab/out/{stem}"));
    // The first try of a slice keeps its lists, and its commit is not known of.
    lab.ledger.unknown(w -> true);
    assertThatThrownBy(() -> lab.control.look(expand(lab))).isInstanceOf(Unavailable.class);
    lab.ledger.unknown(w -> false);
    lab.put("gs://lab/in/000000a.txt");
    lab.put("gs://lab/in/020100a.txt");
    lab.deliver();
    lab.control.look(expand(lab));

    var job = lab.job("s");
    assertThat(job.state()).isInstanceOf(JobState.Running.class);
    var inputs = new java.util.TreeSet<String>();
    for (var i = 0L; i < job.tasks(); i += 1_000)
      for (var item :
          lab.codec.tasks(
              lab.objects.read(Places.of("gs://lab").tasks(job.uid(), i), 1 << 24).orElseThrow()))
        if (item.index() < job.tasks()) assertThat(inputs.add(item.input().orElseThrow())).isTrue();
    assertThat(inputs)
        .hasSize((int) job.tasks())
        .contains("gs://lab/in/000000.txt", "gs://lab/in/021499.txt");
    assertThat(job.tasks()).isBetween(21_500L, 21_502L);
  }

  @Test
  void twoExpandersOfOneJobAgreeOnItsList() {
    givenInputs(20_500);
    lab.submit(inputs("t", "gs://lab/out/{stem}"));
    // Another one lists the same slice a moment later, when there is one object more, and commits
    // first.
    lab.ledger.before(
        w -> true,
        () -> {
          lab.put("gs://lab/in/000000a.txt");
          lab.control("b").look(expand(lab));
        });
    lab.control.look(expand(lab));
    lab.deliver();

    var job = lab.job("t");
    assertThat(job.state()).isInstanceOf(JobState.Running.class);
    assertThat(job.tasks()).isEqualTo(20_500);
    var last =
        lab.objects.read(Places.of("gs://lab").tasks(job.uid(), 20_499), 1 << 24).orElseThrow();
    assertThat(lab.codec.tasks(last).getLast().input()).contains("gs://lab/in/020499.txt");
  }
}
