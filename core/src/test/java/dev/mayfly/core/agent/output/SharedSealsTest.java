package dev.mayfly.core.agent.output;

import static dev.mayfly.core.agent.AgentFixtures.T0;
import static dev.mayfly.core.agent.AgentFixtures.lease;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.mayfly.core.agent.AgentFixtures;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.StoredOutput;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.sentinel.SharedSentinels;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Several agents, some of them stale, create sentinels of the same tasks in shared objects. */
class SharedSealsTest {
  private static final String BUCKET = "file:///b";
  private static final String FOLDER = "file:///b/mayfly/j1/sentinels/";
  private static final JobInfo TOGETHER =
      AgentFixtures.with(
          new JobSpec.Data(
              Optional.empty(),
              false,
              OutputMode.UPLOADED,
              false,
              Optional.empty(),
              Optional.of(Sentinel.Mode.TOGETHER)));

  private final MemoryObjectStore objects = new MemoryObjectStore();
  private final ObjectEffectExecutor stale = agent();
  private final ObjectEffectExecutor newer = agent();

  private ObjectEffectExecutor agent() {
    return new ObjectEffectExecutor(objects, new PlainCodec(), "w1");
  }

  private static TaskAttempt attempt(long task, long epoch) {
    return new TaskAttempt(new LeaseRef("j1", 0, epoch), task);
  }

  private static AgentEffect.Seal sealing(TaskAttempt attempt) {
    var output = StoredOutput.none(attempt, BUCKET + "/" + attempt.index(), MadeFrom.UNKNOWN);
    return new AgentEffect.Seal(attempt, ObjectUrl.of(FOLDER), output.sentinel("w1", T0), false);
  }

  /** Which attempts count for the tasks. */
  private static List<String> seal(ObjectEffectExecutor agent, long epoch, long... tasks) {
    var seals = Arrays.stream(tasks).mapToObj(task -> sealing(attempt(task, epoch))).toList();
    var answer = agent.sealTogether(new AgentEffect.SealTogether("j1", BUCKET, seals));
    return ((AgentEvent.SealedTogether) answer)
        .ends().stream()
            .map(end -> ((AgentEvent.Sealed) end).by().orElseThrow())
            .map(by -> by.task() + " by " + by.attempt())
            .toList();
  }

  private AgentEvent.Surveyed survey(long... tasks) {
    var items = LongStream.of(tasks).mapToObj(TaskItem::counted).toList();
    return (AgentEvent.Surveyed)
        agent().survey(new AgentEffect.Survey(lease(0), TOGETHER, items, T0));
  }

  @Test
  void manyTasksHaveOneObject() {
    assertThat(seal(newer, 1, 3, 5)).containsExactly("3 by s0e1", "5 by s0e1");

    assertThat(objects.names()).containsExactly(FOLDER + "00000000-00000.COMPLETE");
    assertThat(survey(3, 4, 5).done().indexes()).containsExactly(3L, 5L);
  }

  @Test
  void staleAgentPublishesNothingThatAnotherHas() {
    seal(stale, 1, 0);
    seal(newer, 2, 3, 5);

    assertThat(seal(stale, 1, 4, 5)).containsExactly("4 by s0e1", "5 by s0e2");

    assertThat(objects.names()).hasSize(3);
    assertThat(objects.text(name(2)).lines())
        .as("what the stale agent adds")
        .containsExactly("j1 4 s0e1 file:///b/4");
  }

  @Test
  void repeatAddsNothing() {
    seal(newer, 1, 3, 5);

    assertThat(seal(newer, 1, 3, 5)).containsExactly("3 by s0e1", "5 by s0e1");
    assertThat(seal(agent(), 1, 5)).containsExactly("5 by s0e1");
    assertThat(objects.names()).hasSize(1);
  }

  /** What this agent stored is gone since: its memory of it is not asked. */
  @Test
  void deletedSentinelsAreMadeAgain() {
    seal(newer, 1, 3, 5);
    objects.delete(ObjectUrl.of(name(0)), info(0));

    assertThat(survey(3, 5).done().isEmpty()).isTrue();
    assertThat(seal(newer, 2, 3)).containsExactly("3 by s0e2");
    assertThat(survey(3, 5).done().indexes()).containsExactly(3L);
  }

  @Test
  void lowestNumberCountsWhereTwoNameATask() {
    seal(newer, 1, 3, 5);
    seal(newer, 1, 6, 7);
    objects.delete(ObjectUrl.of(name(0)), info(0));
    var other = new MemoryObjectStore();
    seal(new ObjectEffectExecutor(other, new PlainCodec(), "w1"), 2, 7, 8);
    var body = other.text(name(0));
    objects.put(name(0), body, Map.of());

    var found = new SharedSentinels(objects, new PlainCodec()).find(BUCKET, "j1", List.of(6L, 7L));

    assertThat(found.get(6L).url().toString()).isEqualTo(name(1));
    assertThat(found.get(7L).url().toString()).isEqualTo(name(0));
  }

  @Test
  void deletionKeepsTheOthersOfTheObject() {
    seal(newer, 1, 3, 5, 7);

    delete(found(5));

    assertThat(survey(3, 5, 7).done().indexes()).containsExactly(3L, 7L);
    assertThat(objects.names()).containsExactly(FOLDER + "00000000-00001.COMPLETE");
  }

  /** Or an agent that remembers it, and one that does not, would name a task at two numbers. */
  @Test
  void deletedNumberIsNotUsedAgain() {
    seal(stale, 1, 3);
    seal(stale, 1, 5);
    delete(found(5));

    assertThat(seal(newer, 2, 7)).containsExactly("7 by s0e2");
    assertThat(seal(stale, 1, 7)).containsExactly("7 by s0e2");
  }

  /** A message that is delivered again may be late: the task has run again by then. */
  @Test
  void deletionLeavesWhatItHasNotSeen() {
    seal(newer, 1, 3, 5);
    var seen = found(5);
    delete(seen);
    seal(newer, 2, 5);

    delete(seen);

    assertThat(survey(3, 5).done().indexes()).containsExactly(3L, 5L);
  }

  private Map<Long, ObjectInfo> found(long task) {
    return new SharedSentinels(objects, new PlainCodec()).find(BUCKET, "j1", List.of(task));
  }

  private void delete(Map<Long, ObjectInfo> seen) {
    new SharedSentinels(objects, new PlainCodec()).delete(BUCKET, "j1", seen);
  }

  @Test
  void blocksAreApart() {
    seal(newer, 1, 99, 100, 250);

    assertThat(objects.names())
        .containsExactly(
            FOLDER + "00000000-00000.COMPLETE",
            FOLDER + "00000100-00000.COMPLETE",
            FOLDER + "00000200-00000.COMPLETE");
    assertThat(survey(98, 99, 100).done().indexes()).containsExactly(99L, 100L);
    assertThat(survey(250).done().indexes()).containsExactly(250L);
  }

  @Test
  void outputWithoutSentinelIsAdopted() {
    var upload = AgentFixtures.upload(AgentFixtures.attempt(0, 3), TOGETHER);
    newer.upload(upload, new ProducedOutput.OneFile(content("text")));

    assertThat(survey(3).adopted().indexes()).containsExactly(3L);

    assertThat(objects.names())
        .containsExactly("file:///b/mayfly/j1/3", FOLDER + "00000000-00000.COMPLETE");
  }

  /** An output that has its sentinel is never replaced, not by an attempt of before a retry. */
  @Test
  void sealedOutputIsNotReplaced() {
    var foreign = Map.of("mayfly-job", "j0", "mayfly-task", "8", "mayfly-attempt", "s0e9");
    objects.put("file:///b/mayfly/j1/3", "first", foreign);
    seal(newer, 2, 3);
    var upload = AgentFixtures.upload(attempt(3, 1), TOGETHER);

    var answer = stale.upload(upload, new ProducedOutput.OneFile(content("second")));

    assertThat(answer).isInstanceOf(AgentEvent.Sealed.class);
    assertThat(objects.text("file:///b/mayfly/j1/3")).isEqualTo("first");
  }

  @Test
  void outageFailsAllOfThem() {
    objects.away = true;
    var seals = List.of(sealing(attempt(3, 1)), sealing(attempt(5, 1)));

    var answer = newer.sealTogether(new AgentEffect.SealTogether("j1", BUCKET, seals));

    assertThat(((AgentEvent.SealedTogether) answer).ends())
        .extracting(end -> end.attempt().index(), end -> end.getClass().getSimpleName())
        .containsExactly(tuple(3L, "PublishFailed"), tuple(5L, "PublishFailed"));
  }

  private static ObjectStore.Content content(String text) {
    return ObjectStore.Content.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String name(int number) {
    return FOLDER + "00000000-%05d.COMPLETE".formatted(number);
  }

  private long info(int number) {
    return objects.find(ObjectUrl.of(name(number))).orElseThrow().generation();
  }
}
