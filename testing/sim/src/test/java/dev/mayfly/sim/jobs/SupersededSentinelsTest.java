package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.job.DoneRule;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.spec.JobBuilder;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A job whose tasks run again, and then make no sentinel of their own. */
class SupersededSentinelsTest {
  private static final String OUTPUT = "gs://lab/out/0";
  private static final String SENTINEL = OUTPUT + ".COMPLETE";

  private final LabCluster labCluster = new LabCluster();

  @Test
  void unchangedOutputGetsItsSentinelBack() {
    sealed();
    var before = sentinel().orElseThrow();
    submit();
    assertThat(sentinel()).as("while the task runs").isEmpty();

    end();

    assertThat(sentinel()).contains(before);
    assertThat(labCluster.end("j")).startsWith("STOPPED: 0 done, 1 not finished");
  }

  @Test
  void replacedOutputGetsNone() {
    sealed();
    submit();
    labCluster.put(OUTPUT, "new", Map.of());

    end();

    assertThat(sentinel()).isEmpty();
  }

  @Test
  void sentinelByHandComesBackToo() {
    labCluster.put(OUTPUT, "old", Map.of());
    labCluster.put(SENTINEL, "checked by ann", Map.of());
    submit();

    end();

    assertThat(labCluster.objects.read(ObjectUrl.of(SENTINEL), 100))
        .map(String::new)
        .contains("checked by ann");
  }

  @Test
  void retryRunsTheTaskAgain() {
    sealed();
    submit();
    end();

    labCluster.publish(new UserCommand.RetryJob("lab", "j"));

    assertThat(labCluster.open("j")).isEqualTo(1);
    assertThat(sentinel()).isEmpty();
    end();
    assertThat(sentinel()).isPresent();
  }

  @Test
  void refusedJobTouchesNoSentinel() {
    sealed();
    var message = labCluster.submit(job("gs://lab/mayfly/.code/x"));
    labCluster.deliver();

    assertThat(labCluster.refused(message)).isNotEmpty();
    assertThat(sentinel()).isPresent();
  }

  private void submit() {
    labCluster.submit(job(OUTPUT));
    labCluster.deliver();
  }

  private void end() {
    labCluster.stop("j");
    labCluster.deliver();
    assertThat(labCluster.job("j").state().ended()).isTrue();
  }

  private static JobSpec job(String output) {
    var plain = LabCluster.spec("j", new TaskSource.Count(1), output);
    var again = Optional.of(new DoneRule(false, false, true));
    return JobBuilder.like(plain)
        .data(new JobSpec.Data(plain.data().output(), false, OutputMode.UPLOADED, false, again))
        .build();
  }

  /** By a job of the past. */
  private void sealed() {
    labCluster.put(OUTPUT, "old", Map.of());
    var generation = labCluster.objects.find(ObjectUrl.of(OUTPUT)).orElseThrow().generation();
    labCluster.put(
        SENTINEL,
        "{}",
        Map.of(
            "mayfly-job", "past",
            "mayfly-task", "0",
            "mayfly-attempt", "s0e1",
            "mayfly-generation", Long.toString(generation)));
  }

  /** Its body and metadata. */
  private Optional<Map<String, String>> sentinel() {
    return labCluster.objects.find(ObjectUrl.of(SENTINEL)).map(info -> info.metadata());
  }
}
