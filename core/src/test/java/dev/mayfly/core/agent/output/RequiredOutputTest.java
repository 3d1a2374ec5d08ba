package dev.mayfly.core.agent.output;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.data;
import static dev.mayfly.core.agent.AgentFixtures.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.agent.AgentFixtures;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.StoredOutput;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.port.ObjectStore;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Outputs that a successful task must have left. */
class RequiredOutputTest {
  private static final JobInfo UPLOADED = with(data(false, false));

  private final MemoryObjectStore objects = new MemoryObjectStore();
  private final ObjectEffectExecutor objectEffectExecutor =
      new ObjectEffectExecutor(objects, new PlainCodec(), "w1");

  private static ProducedOutput file(String text) {
    return new ProducedOutput.OneFile(
        ObjectStore.Content.of(text.getBytes(StandardCharsets.UTF_8)));
  }

  private AgentEvent upload(JobInfo jobInfo, long index, ProducedOutput producedOutput) {
    return objectEffectExecutor.upload(
        AgentFixtures.upload(attempt(0, index), jobInfo), producedOutput);
  }

  private StoredOutput uploaded(JobInfo jobInfo, long index, ProducedOutput producedOutput) {
    return ((AgentEvent.Uploaded) upload(jobInfo, index, producedOutput)).output();
  }

  @Test
  void missingNamedOutputFails() {
    assertThat(upload(UPLOADED, 3, new ProducedOutput.Nothing()))
        .isInstanceOfSatisfying(
            AgentEvent.PublishFailed.class,
            failed -> {
              assertThat(failed.retry()).isFalse();
              assertThat(failed.reason()).contains("$MAYFLY_OUTPUT").contains("outputs: none");
              assertThat(failed.reason()).hasSizeLessThanOrEqualTo(AttemptFailure.EVIDENCE_CAP);
            });
    assertThat(objects.names()).isEmpty();
  }

  @Test
  void outputOfOtherAttemptCounts() {
    var theirs = AgentFixtures.sameComputation(UPLOADED, 3, "s0e9");
    objects.put("file:///out/3.txt", "theirs", theirs);

    var storedOutput = uploaded(UPLOADED, 3, new ProducedOutput.Nothing());

    assertThat(storedOutput.attempt()).isEqualTo("s0e9");
    assertThat(storedOutput.generation()).isPositive();
  }

  @Test
  void jobWithoutOutputTemplateMayLeaveNothing() {
    var storedOutput = uploaded(AgentFixtures.with(noPlace()), 3, new ProducedOutput.Nothing());

    assertThat(storedOutput.generation()).isZero();
    assertThat(storedOutput.url()).isEqualTo("file:///b/mayfly/j1/3");
  }

  @Test
  void jobWithoutOutputsIgnoresExistingOnes() {
    var none =
        new JobSpec.Data(
            Optional.of("file:///out/{index}.txt"),
            false,
            OutputMode.NONE,
            false,
            Optional.empty());
    objects.put("file:///out/3.txt", "theirs", Map.of());

    var storedOutput = uploaded(AgentFixtures.with(none), 3, file("left all the same"));

    assertThat(storedOutput.generation()).isZero();
    assertThat(objects.text("file:///out/3.txt")).isEqualTo("theirs");
  }

  private static JobSpec.Data noPlace() {
    return SpecFixtures.uploads(Optional.empty());
  }
}
