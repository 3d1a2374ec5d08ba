package dev.mayfly.core.agent;

import static dev.mayfly.core.agent.Fixtures.attempt;
import static dev.mayfly.core.agent.Fixtures.data;
import static dev.mayfly.core.agent.Fixtures.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Failure;
import dev.mayfly.core.model.JobSheet;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.TaskItem;
import dev.mayfly.core.port.Objects;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a task that ended well must have left. */
class WantedOutputTest {
  private static final JobSheet UPLOADED = with(data(false, false));
  private static final Map<String, String> OURS =
      Map.of("mayfly-job", "j0", "mayfly-task", "8", "mayfly-attempt", "s0e9");

  private final MemoryObjects objects = new MemoryObjects();
  private final Publication publication = new Publication(objects, new PlainCodec(), "w1");

  private static Left file(String text) {
    return new Left.OneFile(Objects.Content.of(text.getBytes(StandardCharsets.UTF_8)));
  }

  private AgentEvent upload(JobSheet sheet, long index, Left left) {
    return publication.upload(
        new AgentEffect.Upload(attempt(0, index), sheet, TaskItem.counted(index)), left);
  }

  private Output uploaded(JobSheet sheet, long index, Left left) {
    return ((AgentEvent.Uploaded) upload(sheet, index, left)).output();
  }

  @Test
  void anOutputThatTheJobNamesIsMissed() {
    assertThat(upload(UPLOADED, 3, new Left.Nothing()))
        .isInstanceOfSatisfying(
            AgentEvent.PublishFailed.class,
            failed -> {
              assertThat(failed.retry()).isFalse();
              assertThat(failed.reason()).contains("$MAYFLY_OUTPUT").contains("outputs: none");
              assertThat(failed.reason()).hasSizeLessThanOrEqualTo(Failure.EVIDENCE_CAP);
            });
    assertThat(objects.names()).isEmpty();
  }

  @Test
  void anotherAttemptsOutputCountsWhereThisOneLeftNothing() {
    objects.put("file:///out/3.txt", "theirs", OURS);

    var output = uploaded(UPLOADED, 3, new Left.Nothing());

    assertThat(output.attempt()).isEqualTo("s0e9");
    assertThat(output.generation()).isPositive();
  }

  @Test
  void aJobThatNamesNoPlaceMayLeaveNothing() {
    var output = uploaded(Fixtures.with(noPlace()), 3, new Left.Nothing());

    assertThat(output.generation()).isZero();
    assertThat(output.url()).isEqualTo("file:///b/mayfly/j1/3");
  }

  @Test
  void aJobWithoutOutputsLooksForNone() {
    var none =
        new JobSpec.Data(
            Optional.of("file:///out/{index}.txt"), false, JobSpec.Outputs.NONE, false);
    objects.put("file:///out/3.txt", "theirs", Map.of());

    var output = uploaded(Fixtures.with(none), 3, file("left all the same"));

    assertThat(output.generation()).isZero();
    assertThat(objects.text("file:///out/3.txt")).isEqualTo("theirs");
  }

  private static JobSpec.Data noPlace() {
    return new JobSpec.Data(Optional.empty(), false, false, false);
  }
}
