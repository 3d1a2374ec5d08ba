package dev.mayfly.core.agent.output;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectUrl;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An output that the task writes itself counts only for the attempt that wrote it. */
class WrittenOutputTest {
  private static final String URL = "gs://lab/3.txt";
  private static final JobInfo JOB =
      with(
          new JobSpec.Data(
              Optional.of("gs://lab/{index}.txt"),
              false,
              OutputMode.WRITTEN,
              false,
              Optional.empty()));
  private static final TaskItem ITEM = TaskItem.counted(3);

  private final MemoryObjectStore objects = new MemoryObjectStore();
  private final ObjectEffectExecutor objectEffectExecutor =
      new ObjectEffectExecutor(objects, new PlainCodec(), "w1");

  private Optional<Long> before() {
    return WrittenOutput.before(objects, JOB, ITEM);
  }

  private AgentEvent upload(Optional<Long> before) {
    return objectEffectExecutor.upload(
        new AgentEffect.Upload(
            attempt(0, 3), JOB, ITEM, MadeFrom.UNKNOWN, Optional.empty(), before),
        new ProducedOutput.Nothing());
  }

  private AgentEvent discard(JobInfo jobInfo, Optional<Long> before) {
    return objectEffectExecutor.discard(
        new AgentEffect.Discard(attempt(0, 3), jobInfo, ITEM, before));
  }

  private static JobInfo since(Instant since) {
    return new JobInfo(
        JOB.job(),
        JOB.hash(),
        JOB.spec(),
        JOB.bucket(),
        JOB.env(),
        JOB.tasks(),
        JOB.items(),
        Optional.of(since));
  }

  private boolean isThere() {
    return objects.find(ObjectUrl.of(URL)).isPresent();
  }

  private long generation() {
    return objects.find(ObjectUrl.of(URL)).map(ObjectInfo::generation).orElseThrow();
  }

  @Test
  void whatAnEarlierAttemptLeftIsNotSealed() {
    objects.put(URL, "half", Map.of());
    var before = before();

    assertThat(upload(before))
        .isInstanceOfSatisfying(
            AgentEvent.PublishFailed.class,
            failed -> {
              assertThat(failed.retry()).isFalse();
              assertThat(failed.reason())
                  .contains("exit code 0, but " + URL, "before this attempt began");
            });
  }

  @Test
  void whatTheAttemptWroteIsSealed() {
    var nothing = before();
    objects.put(URL, "one", Map.of());
    assertThat(upload(nothing)).isInstanceOf(AgentEvent.Uploaded.class);

    var one = before();
    objects.put(URL, "two", Map.of());

    assertThat(upload(one))
        .isInstanceOfSatisfying(
            AgentEvent.Uploaded.class,
            uploaded -> assertThat(uploaded.output().generation()).isEqualTo(generation()));
  }

  @Test
  void jobThatWritesNothingItselfIsNotLookedAt() {
    var uploading = with(SpecFixtures.uploads(Optional.of(URL)));

    assertThat(WrittenOutput.before(objects, uploading, ITEM)).isEmpty();
  }

  @Test
  void onlyOwnWritingIsDiscarded() {
    var nothing = before();
    objects.put(URL, "half", Map.of());
    var half = before();

    assertThat(discard(JOB, half)).isEqualTo(new AgentEvent.Discarded(attempt(0, 3), false));
    assertThat(isThere()).isTrue();
    assertThat(discard(JOB, nothing)).isEqualTo(new AgentEvent.Discarded(attempt(0, 3), true));
    assertThat(isThere()).isFalse();
  }

  /** The attempt that left it vanished with its agent. */
  @Test
  void leftoverOfTheJobsTimeIsDiscardedToo() {
    objects.put(URL, "half", Map.of());

    discard(since(Instant.parse("2100-01-01T00:00:00Z")), before());
    assertThat(isThere()).as("of before the job").isTrue();
    discard(since(Instant.EPOCH), before());

    assertThat(isThere()).isFalse();
  }
}
