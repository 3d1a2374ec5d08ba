package dev.mayfly.core.agent.output;

import static dev.mayfly.core.agent.AgentFixtures.T0;
import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.data;
import static dev.mayfly.core.agent.AgentFixtures.lease;
import static dev.mayfly.core.agent.AgentFixtures.sameComputation;
import static dev.mayfly.core.agent.AgentFixtures.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.agent.AgentFixtures;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.StoredOutput;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ObjectEffectExecutorTest {
  private static final JobInfo UPLOADED = with(data(false, false));
  private static final JobInfo WRITTEN = with(data(true, false));
  private static final JobInfo OVERWRITING = with(data(false, true));
  private static final Map<String, String> OURS =
      Map.of("mayfly-job", "j0", "mayfly-task", "8", "mayfly-attempt", "s0e9");

  private final MemoryObjectStore objects = new MemoryObjectStore();
  private final ObjectEffectExecutor objectEffectExecutor =
      new ObjectEffectExecutor(objects, new PlainCodec(), "w1");

  private static ProducedOutput file(String text) {
    return new ProducedOutput.OneFile(content(text));
  }

  private static ObjectStore.Content content(String text) {
    return ObjectStore.Content.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private AgentEvent upload(JobInfo jobInfo, long index, ProducedOutput producedOutput) {
    return objectEffectExecutor.upload(
        AgentFixtures.upload(attempt(0, index), jobInfo), producedOutput);
  }

  private StoredOutput uploaded(JobInfo jobInfo, long index, ProducedOutput producedOutput) {
    return ((AgentEvent.Uploaded) upload(jobInfo, index, producedOutput)).output();
  }

  private AgentEvent.Sealed seal(long index, StoredOutput storedOutput) {
    return (AgentEvent.Sealed)
        objectEffectExecutor.seal(
            new AgentEffect.Seal(
                attempt(0, index),
                ObjectUrl.of("file:///out/" + index + ".txt.COMPLETE"),
                storedOutput.sentinel("w1", T0),
                false));
  }

  private AgentEvent.Surveyed survey(JobInfo jobInfo, LongStream indexes) {
    var items = indexes.mapToObj(TaskItem::counted).toList();
    return (AgentEvent.Surveyed)
        objectEffectExecutor.survey(new AgentEffect.Survey(lease(0), jobInfo, items, T0));
  }

  @Test
  void sentinelPinsCreatedOutput() {
    var storedOutput = uploaded(UPLOADED, 3, file("text"));
    assertThat(storedOutput.size()).isEqualTo(4);
    assertThat(storedOutput.attempt()).isEqualTo("s0e1");

    assertThat(seal(3, storedOutput).by())
        .contains(new Sentinel.By("j1", 3, "s0e1", storedOutput.generation()));
    assertThat(objects.names()).containsExactly("file:///out/3.txt", "file:///out/3.txt.COMPLETE");
    assertThat(objects.find(ObjectUrl.of("file:///out/3.txt")).orElseThrow().metadata())
        .containsEntry("mayfly-job", "j1")
        .containsEntry("mayfly-task", "3")
        .containsEntry("mayfly-exit-code", "0")
        .containsEntry("mayfly-crc32c", storedOutput.crc32c());
  }

  @Test
  void repeatFindsFirstResult() {
    var first = uploaded(UPLOADED, 3, file("text"));
    assertThat(uploaded(UPLOADED, 3, file("text"))).isEqualTo(first);

    var by = seal(3, first).by();
    assertThat(seal(3, first).by()).isEqualTo(by);
  }

  @Test
  void uploadOfOtherAttemptIsAdopted() {
    objects.put("file:///out/3.txt", "theirs", sameComputation(UPLOADED, 3, "s0e9"));

    for (var jobInfo : List.of(UPLOADED, OVERWRITING)) {
      var storedOutput = uploaded(jobInfo, 3, file("mine"));
      assertThat(storedOutput.job()).isEqualTo("j1");
      assertThat(storedOutput.task()).isEqualTo(3);
      assertThat(storedOutput.attempt()).isEqualTo("s0e9");
      assertThat(storedOutput.size()).isEqualTo(6);
    }
    assertThat(objects.text("file:///out/3.txt")).isEqualTo("theirs");
  }

  @Test
  void foreignOutputIsRefusedWithoutOverwrite() {
    objects.put("file:///out/3.txt", "theirs", Map.of());

    assertThat(upload(UPLOADED, 3, file("mine")))
        .isInstanceOfSatisfying(
            AgentEvent.OutputExists.class,
            e ->
                assertThat(e.evidence()).contains("file:///out/3.txt").contains("overwrite: true"));
    assertThat(uploaded(OVERWRITING, 3, file("mine")).size()).isEqualTo(4);
    assertThat(objects.text("file:///out/3.txt")).isEqualTo("mine");
  }

  @Test
  void existingSentinelDecides() {
    objects.put("file:///out/3.txt.COMPLETE", "", Map.of());
    objects.put("file:///out/4.txt.COMPLETE", "x", OURS);
    var storedOutput = uploaded(UPLOADED, 3, file("text"));

    assertThat(seal(3, storedOutput).by()).isEmpty();
    assertThat(seal(4, storedOutput).by()).map(Sentinel.By::attempt).contains("s0e9");
  }

  @Test
  void writtenOutputIsPinnedAfterExit() {
    assertThat(upload(WRITTEN, 3, new ProducedOutput.Nothing()))
        .isInstanceOfSatisfying(
            AgentEvent.PublishFailed.class,
            failed -> {
              assertThat(failed.retry()).isFalse();
              assertThat(failed.reason()).contains("no file:///out/3.txt", "outputs: written");
            });

    objects.put("file:///out/3.txt", "by the task", Map.of());
    var storedOutput = uploaded(WRITTEN, 3, new ProducedOutput.Nothing());
    assertThat(storedOutput.generation()).isPositive();
    assertThat(storedOutput.attempt()).isEqualTo("s0e1");
  }

  @Test
  void directoryIndexIsCreatedOnceAndLast() {
    var left =
        new ProducedOutput.Directory(
            List.of(
                new ProducedOutput.Entry("a.txt", content("aa")),
                new ProducedOutput.Entry("b/\"c\".txt", content("c"))),
            List.of("b/empty"));
    var storedOutput = uploaded(UPLOADED, 3, left);

    assertThat(storedOutput.url()).isEqualTo("file:///out/3.txt/index.json");
    assertThat(objects.names())
        .containsExactly(
            "file:///out/3.txt/index.json",
            "file:///out/3.txt/j1.s0e1/a.txt",
            "file:///out/3.txt/j1.s0e1/b/\"c\".txt");
    assertThat(objects.text(storedOutput.url()))
        .contains("{\"path\":\"j1.s0e1/a.txt\",\"generation\":\"1\",\"size\":2,")
        .contains("\"path\":\"j1.s0e1/b/\\\"c\\\".txt\"")
        .startsWith("{\"job\":\"j1\",\"task\":3,\"attempt\":\"s0e1\",\"files\":[")
        .endsWith("],\"folders\":[\"j1.s0e1/b/empty\"]}\n");
    assertThat(uploaded(UPLOADED, 3, left)).isEqualTo(storedOutput);
  }

  /** After a restore of the ledger, a new attempt has the name of a forgotten one. */
  @Test
  void filesOfForgottenAttemptAreNotMixedIn() {
    objects.put("file:///out/3.txt/j1.s0e1/a.txt", "of the forgotten one", OURS);
    var left =
        new ProducedOutput.Directory(
            List.of(new ProducedOutput.Entry("a.txt", content("aa"))), List.of());

    var storedOutput = uploaded(UPLOADED, 3, left);

    assertThat(objects.text(storedOutput.url())).contains("{\"path\":\"j1.s0e1-1/a.txt\"");
  }

  @Test
  void unavailableStoreAndUnreadableFileAreRetried() {
    var unreadable =
        new ObjectStore.Content() {
          @Override
          public java.io.InputStream open() throws IOException {
            throw new IOException("disk error");
          }

          @Override
          public long size() {
            return 1;
          }
        };
    assertThat(upload(UPLOADED, 3, new ProducedOutput.OneFile(unreadable)))
        .isInstanceOfSatisfying(
            AgentEvent.PublishFailed.class, f -> assertThat(f.retry()).isTrue());

    objects.away = true;
    assertThat(upload(UPLOADED, 3, file("text")))
        .isEqualTo(new AgentEvent.PublishFailed(attempt(0, 3), true, "the store is away"));
    assertThat(
            objectEffectExecutor.survey(
                new AgentEffect.Survey(lease(0), UPLOADED, List.of(TaskItem.counted(1)), T0)))
        .isInstanceOf(AgentEvent.SurveyFailed.class);
  }

  @Test
  void surveyClassifiesTasksByOutput() {
    objects.put("file:///out/0.txt.COMPLETE", "", Map.of());
    objects.put("file:///out/1.txt", "its agent died", sameComputation(UPLOADED, 1, "s0e9"));
    objects.put("file:///out/2.txt", "of somebody else", Map.of());
    objects.put(
        "file:///out/3.txt/index.json", "a directory", sameComputation(UPLOADED, 3, "s0e9"));
    objects.put("file:///out/4.txt", "of an earlier job", OURS);
    objects.put("file:///out/10.txt", "another lease's", sameComputation(UPLOADED, 10, "s0e9"));

    var found = survey(UPLOADED, LongStream.range(0, 6));
    assertThat(found.done().indexes()).containsExactly(0L, 1L, 3L);
    assertThat(found.adopted().indexes()).containsExactly(1L, 3L);
    assertThat(found.taken().indexes()).containsExactly(2L);
    assertThat(objects.names())
        .contains("file:///out/1.txt.COMPLETE", "file:///out/3.txt.COMPLETE")
        .doesNotContain("file:///out/10.txt.COMPLETE");
    var sentinel = objects.find(ObjectUrl.of("file:///out/1.txt.COMPLETE")).orElseThrow();
    assertThat(Sentinel.by(sentinel.metadata())).contains(new Sentinel.By("j1", 1, "s0e9", 2));
  }

  @Test
  void unsealedWrittenOutputIsIgnored() {
    objects.put("file:///out/1.txt", "half", Map.of());
    objects.put("file:///out/2.txt", "half", OURS);

    var found = survey(WRITTEN, LongStream.range(0, 6));
    assertThat(found.done().isEmpty()).isTrue();
    assertThat(found.taken().isEmpty()).isTrue();
    assertThat(survey(OVERWRITING, LongStream.of(1)).taken().isEmpty()).isTrue();
  }

  @Test
  void surveyListsInBulk() {
    for (var i = 0; i < 1_000; i++) {
      objects.put("file:///out/" + i + ".txt", "x", Map.of());
      if (i % 3 == 0) objects.put("file:///out/" + i + ".txt.COMPLETE", "", Map.of());
    }
    objects.calls = 0;

    assertThat(survey(UPLOADED, LongStream.range(0, 1_000)).done().count()).isEqualTo(334);
    assertThat(objects.calls).isLessThan(5);
  }

  @Test
  void surveySkipsUnrelatedObjects() {
    for (var i = 0; i < 20_000; i++) objects.put("file:///out/5" + i + ".txt", "x", Map.of());
    objects.put("file:///out/9.txt.COMPLETE", "", Map.of());
    objects.calls = 0;

    var found = survey(UPLOADED, LongStream.of(4, 9));
    assertThat(found.done().indexes()).containsExactly(9L);
    assertThat(objects.calls).isLessThan(10);
  }

  @Test
  void surveyFindsNestedAndUnicodeNames() {
    var names = List.of("a", "a-b", "a/b", "ab", "é", "\uFFFD", "😀", "😁x");
    for (var name : names) objects.put("file:///o/" + name + ".COMPLETE", "", Map.of());
    var template = SpecFixtures.uploads(Optional.of("file:///o/{name}"));
    var items =
        LongStream.range(0, names.size())
            .mapToObj(i -> new TaskItem(i, Optional.empty(), Map.of("name", names.get((int) i))))
            .toList();

    var found =
        (AgentEvent.Surveyed)
            objectEffectExecutor.survey(
                new AgentEffect.Survey(lease(0), with(template), items, T0));
    assertThat(found.done().count()).isEqualTo(names.size());
  }

  @Test
  void taskListIsFetchedOrReportedMissing() {
    objects.put("file:///b/list", "0\n1\n", Map.of());
    var there = new AgentEffect.FetchTaskList("j1", 0, ObjectUrl.of("file:///b/list"));
    var gone = new AgentEffect.FetchTaskList("j1", 1, ObjectUrl.of("file:///b/other"));

    assertThat(objectEffectExecutor.fetch(there))
        .isEqualTo(
            new AgentEvent.TaskListFetched(
                "j1", 0, List.of(TaskItem.counted(0), TaskItem.counted(1))));
    assertThat(objectEffectExecutor.fetch(gone))
        .isInstanceOfSatisfying(
            AgentEvent.TaskListFetchFailed.class,
            f -> assertThat(f.reason()).contains("file:///b/other"));
  }

  @Test
  void surveyCountsFromLeaseStart() {
    objects.put("file:///out/700.txt.COMPLETE", "", Map.of());
    var items = LongStream.range(600, 800).mapToObj(TaskItem::counted).toList();
    var lease = new LeaseRef("j1", 600, 4);

    var found =
        (AgentEvent.Surveyed)
            objectEffectExecutor.survey(new AgentEffect.Survey(lease, UPLOADED, items, T0));
    assertThat(found.done().indexes()).containsExactly(700L);
  }
}
