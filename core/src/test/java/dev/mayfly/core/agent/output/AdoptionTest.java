package dev.mayfly.core.agent.output;

import static dev.mayfly.core.agent.AgentFixtures.T0;
import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.data;
import static dev.mayfly.core.agent.AgentFixtures.lease;
import static dev.mayfly.core.agent.AgentFixtures.sameComputation;
import static dev.mayfly.core.agent.AgentFixtures.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.task.Computation;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An output lies there without a sentinel: whose result it may become. */
class AdoptionTest {
  private static final JobInfo JOB = since(with(data(false, false)), T0);
  private static final ObjectUrl OUTPUT = ObjectUrl.of("file:///out/3.txt");

  private final MemoryObjectStore objects = new MemoryObjectStore();
  private final ObjectEffectExecutor objectEffectExecutor =
      new ObjectEffectExecutor(objects, new PlainCodec(), "w1");

  private static JobInfo since(JobInfo job, Instant since) {
    return new JobInfo(
        job.job(),
        job.hash(),
        job.spec(),
        job.bucket(),
        job.env(),
        job.tasks(),
        job.items(),
        Optional.of(since));
  }

  private static JobInfo env(JobInfo job, String name, String value) {
    return new JobInfo(
        job.job(),
        job.hash(),
        job.spec(),
        job.bucket(),
        Map.of(name, value),
        job.tasks(),
        job.items(),
        job.since());
  }

  private static JobInfo code(JobInfo job, String hash) {
    var run = job.spec().run();
    var other =
        new JobSpec.Run(
            run.command(),
            Optional.of("gs://b/mayfly/.code/" + hash + ".zip"),
            run.env(),
            run.timeout(),
            run.grace(),
            run.cutOff(),
            run.secrets(),
            run.image(),
            run.registries(),
            run.rights(),
            run.environment());
    var spec = job.spec();
    return job.withSpec(
        new JobSpec(
            spec.name(),
            spec.cluster(),
            spec.owner(),
            spec.tasks(),
            spec.data(),
            other,
            spec.resources(),
            spec.retries(),
            spec.priority(),
            spec.place(),
            spec.exclusive(),
            spec.gang(),
            spec.anyRegion(),
            spec.settle(),
            spec.admissionRules()));
  }

  private AgentEvent.Surveyed survey(JobInfo job, TaskItem item) {
    return (AgentEvent.Surveyed)
        objectEffectExecutor.survey(new AgentEffect.Survey(lease(0), job, List.of(item), T0));
  }

  private AgentEvent upload(JobInfo job, TaskItem item, Optional<Instant> rivalsAfter) {
    var made = Computation.of(job, item, InputGeneration.of(objects, item));
    var content = ObjectStore.Content.of("new".getBytes(StandardCharsets.UTF_8));
    return objectEffectExecutor.upload(
        new AgentEffect.Upload(attempt(0, 3), job, item, made, rivalsAfter, Optional.empty()),
        new ProducedOutput.OneFile(content));
  }

  /** What an attempt left whose metadata has these words in place of the present ones. */
  private void left(Map<String, String> changes) {
    var metadata = new HashMap<>(sameComputation(JOB, 3, "s0e9"));
    metadata.putAll(changes);
    objects.put(OUTPUT.toString(), "old", metadata);
  }

  private void runsAndReplaces(JobInfo job, TaskItem item) {
    var found = survey(job, item);
    assertThat(found.done().isEmpty() && found.taken().isEmpty()).isTrue();
    assertThat(objects.names()).doesNotContain(OUTPUT + Sentinel.SUFFIX);

    assertThat(upload(job, item, Optional.empty()))
        .isInstanceOfSatisfying(
            AgentEvent.Uploaded.class,
            uploaded -> assertThat(uploaded.output().isOf(attempt(0, 3))).isTrue());
    assertThat(objects.text(OUTPUT.toString())).isEqualTo("new");
  }

  @Test
  void sameComputationIsAdopted() {
    left(Map.of());

    var found = survey(JOB, TaskItem.counted(3));

    assertThat(found.done().indexes()).containsExactly(3L);
    assertThat(found.adopted().indexes()).containsExactly(3L);
    assertThat(objects.names()).contains(OUTPUT + Sentinel.SUFFIX);
  }

  @Test
  void outputOfEarlierJobRunsAgain() {
    left(Map.of("mayfly-job", "j0"));

    runsAndReplaces(JOB, TaskItem.counted(3));
  }

  /** Its sentinel was deleted, and the job retried: what was done before is not done now. */
  @Test
  void outputOfBeforeTheRetryRunsAgain() {
    left(Map.of("mayfly-since", T0.minusSeconds(60).toString()));

    runsAndReplaces(JOB, TaskItem.counted(3));
  }

  @Test
  void otherCodeRunsAgain() {
    left(Map.of("mayfly-code", "0ld"));

    runsAndReplaces(code(JOB, "c0de"), TaskItem.counted(3));
  }

  @Test
  void otherEnvironmentRunsAgain() {
    left(Map.of());

    runsAndReplaces(env(JOB, "LR", "0.1"), TaskItem.counted(3));
  }

  @Test
  void changedInputRunsAgain() {
    objects.put("file:///in/a", "1", Map.of());
    var item = new TaskItem(3, Optional.of("file:///in/a"), Map.of());
    left(Computation.of(JOB, item, InputGeneration.of(objects, item)).metadata());
    objects.put("file:///in/a", "2", Map.of());

    runsAndReplaces(JOB, item);
  }

  @Test
  void sameInputIsAdopted() {
    objects.put("file:///in/a", "1", Map.of());
    var item = new TaskItem(3, Optional.of("file:///in/a"), Map.of());
    left(Computation.of(JOB, item, InputGeneration.of(objects, item)).metadata());

    assertThat(survey(JOB, item).adopted().indexes()).containsExactly(3L);
  }

  /** Its job ended long ago, but its agent was cut off and works on. */
  @Test
  void lateAttemptOfEarlierJobReplacesNothingSealed() {
    left(Map.of("mayfly-job", "j2"));
    objects.put(OUTPUT + Sentinel.SUFFIX, "", sameComputation(JOB, 3, "s0e9"));

    assertThat(upload(JOB, TaskItem.counted(3), Optional.empty()))
        .isInstanceOf(AgentEvent.Sealed.class);
    assertThat(objects.text(OUTPUT.toString())).isEqualTo("old");
  }

  @Test
  void rivalThatMayBeAboutToSealIsAwaited() {
    left(Map.of("mayfly-job", "j2"));
    var now = objects.find(OUTPUT).orElseThrow().updated();

    assertThat(upload(JOB, TaskItem.counted(3), Optional.of(now.minusSeconds(5))))
        .isInstanceOfSatisfying(
            AgentEvent.PublishFailed.class,
            failed -> {
              assertThat(failed.retry()).isTrue();
              assertThat(failed.reason()).contains("by job j2");
            });
    assertThat(objects.text(OUTPUT.toString())).isEqualTo("old");
  }

  /** A suspended machine wakes up between its upload and the sentinel. */
  @Test
  void lateSealOfReplacedOutputIsNotMade() {
    var mine = ((AgentEvent.Uploaded) upload(JOB, TaskItem.counted(3), Optional.empty())).output();
    left(Map.of("mayfly-job", "j2"));
    var at = OUTPUT.append(Sentinel.SUFFIX);

    var answer =
        objectEffectExecutor.seal(
            new AgentEffect.Seal(attempt(0, 3), at, mine.sentinel("w1", T0), true));

    assertThat(answer).isEqualTo(new AgentEvent.OutputReplaced(attempt(0, 3)));
    assertThat(objects.names()).doesNotContain(at.toString());
  }

  @Test
  void onlyUnsealedOutputOfTheJobsTimeIsDiscarded() {
    var before = since(with(places()), Instant.parse("2100-01-01T00:00:00Z"));
    var now = since(before, Instant.EPOCH);
    objects.put("gs://lab/3.txt", "old", Map.of());
    objects.put("gs://lab/4.txt", "sealed", Map.of());
    objects.put("gs://lab/4.txt.COMPLETE", "", Map.of());
    objects.put("gs://lab/5.txt", "new", Map.of());

    discard(before, 3, false);
    discard(now, 4, false);
    discard(now, 5, true);
    discard(now, 5, false);

    assertThat(objects.names())
        .containsExactlyInAnyOrder("gs://lab/3.txt", "gs://lab/4.txt", "gs://lab/4.txt.COMPLETE");
  }

  private void discard(JobInfo jobInfo, long task, boolean deleted) {
    var item = TaskItem.counted(task);
    var effect = new AgentEffect.Discard(attempt(0, task), jobInfo, item, Optional.empty());
    assertThat(objectEffectExecutor.discard(effect))
        .isEqualTo(new AgentEvent.Discarded(attempt(0, task), deleted));
  }

  @Test
  void writtenOutputOfBeforeTheJobIsRefused() {
    var written = since(with(places()), Instant.parse("2100-01-01T00:00:00Z"));
    objects.put("gs://lab/3.txt", "old", Map.of());

    assertThat(upload(written, TaskItem.counted(3), Optional.empty()))
        .isInstanceOfSatisfying(
            AgentEvent.PublishFailed.class,
            failed -> {
              assertThat(failed.retry()).isFalse();
              assertThat(failed.reason())
                  .contains("before this job", "delete it", "3.txt.COMPLETE")
                  .hasSizeLessThan(200);
            });
    assertThat(upload(since(written, Instant.EPOCH), TaskItem.counted(3), Optional.empty()))
        .isInstanceOf(AgentEvent.Uploaded.class);
  }

  private static JobSpec.Data places() {
    return new JobSpec.Data(
        Optional.of("gs://lab/{index}.txt"), false, OutputMode.WRITTEN, false, Optional.empty());
  }
}
