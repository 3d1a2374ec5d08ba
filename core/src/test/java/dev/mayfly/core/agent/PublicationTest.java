package dev.mayfly.core.agent;

import static dev.mayfly.core.agent.Fixtures.T0;
import static dev.mayfly.core.agent.Fixtures.attempt;
import static dev.mayfly.core.agent.Fixtures.data;
import static dev.mayfly.core.agent.Fixtures.lease;
import static dev.mayfly.core.agent.Fixtures.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.JobSheet;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.model.TaskItem;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PublicationTest {
  private static final JobSheet UPLOADED = with(data(false, false));
  private static final JobSheet WRITTEN = with(data(true, false));
  private static final JobSheet OVERWRITING = with(data(false, true));
  private static final Map<String, String> OURS =
      Map.of("mayfly-job", "j0", "mayfly-task", "8", "mayfly-attempt", "s0e9");

  private final MemoryObjects objects = new MemoryObjects();
  private final Publication publication = new Publication(objects, new PlainCodec(), "w1");

  private static Left file(String text) {
    return new Left.OneFile(content(text));
  }

  private static Objects.Content content(String text) {
    return Objects.Content.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private AgentEvent upload(JobSheet sheet, long index, Left left) {
    return publication.upload(
        new AgentEffect.Upload(attempt(0, index), sheet, TaskItem.counted(index)), left);
  }

  private Output uploaded(JobSheet sheet, long index, Left left) {
    return ((AgentEvent.Uploaded) upload(sheet, index, left)).output();
  }

  private AgentEvent.Sealed seal(long index, Output output) {
    return (AgentEvent.Sealed)
        publication.seal(
            new AgentEffect.Seal(
                attempt(0, index),
                Url.of("file:///out/" + index + ".txt.COMPLETE"),
                output.sentinel("w1", T0)));
  }

  private AgentEvent.Surveyed survey(JobSheet sheet, LongStream indexes) {
    var items = indexes.mapToObj(TaskItem::counted).toList();
    return (AgentEvent.Surveyed)
        publication.survey(new AgentEffect.Survey(lease(0), sheet, items, T0));
  }

  @Test
  void anOutputIsCreatedOnceAndItsSentinelPinsIt() {
    var output = uploaded(UPLOADED, 3, file("text"));
    assertThat(output.size()).isEqualTo(4);
    assertThat(output.attempt()).isEqualTo("s0e1");

    assertThat(seal(3, output).by())
        .contains(new Sentinel.By("j1", 3, "s0e1", output.generation()));
    assertThat(objects.names()).containsExactly("file:///out/3.txt", "file:///out/3.txt.COMPLETE");
    assertThat(objects.find(Url.of("file:///out/3.txt")).orElseThrow().metadata())
        .containsEntry("mayfly-job", "j1")
        .containsEntry("mayfly-task", "3")
        .containsEntry("mayfly-exit-code", "0")
        .containsEntry("mayfly-crc32c", output.crc32c());
  }

  @Test
  void aRepeatFindsWhatTheFirstTryDid() {
    var first = uploaded(UPLOADED, 3, file("text"));
    assertThat(uploaded(UPLOADED, 3, file("text"))).isEqualTo(first);

    var by = seal(3, first).by();
    assertThat(seal(3, first).by()).isEqualTo(by);
  }

  @Test
  void theUploadOfAnotherAttemptIsAdoptedAndNotOverwritten() {
    objects.put("file:///out/3.txt", "theirs", OURS);

    for (var sheet : List.of(UPLOADED, OVERWRITING)) {
      var output = uploaded(sheet, 3, file("mine"));
      assertThat(output.job()).isEqualTo("j0");
      assertThat(output.task()).isEqualTo(8);
      assertThat(output.attempt()).isEqualTo("s0e9");
      assertThat(output.size()).isEqualTo(6);
    }
    assertThat(objects.text("file:///out/3.txt")).isEqualTo("theirs");
  }

  @Test
  void anObjectOfSomebodyElseIsRefusedUnlessTheJobMayOverwrite() {
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
  void theSentinelThatIsThereDecidesWhoeverWroteIt() {
    objects.put("file:///out/3.txt.COMPLETE", "", Map.of());
    objects.put("file:///out/4.txt.COMPLETE", "x", OURS);
    var output = uploaded(UPLOADED, 3, file("text"));

    assertThat(seal(3, output).by()).isEmpty();
    assertThat(seal(4, output).by()).map(Sentinel.By::attempt).contains("s0e9");
  }

  @Test
  void aWrittenOutputIsPinnedAsItLiesThereAfterTheExit() {
    assertThat(upload(WRITTEN, 3, new Left.Nothing()))
        .isInstanceOfSatisfying(
            AgentEvent.PublishFailed.class,
            failed -> {
              assertThat(failed.retry()).isFalse();
              assertThat(failed.reason()).contains("no file:///out/3.txt", "outputs: written");
            });

    objects.put("file:///out/3.txt", "by the task", Map.of());
    var output = uploaded(WRITTEN, 3, new Left.Nothing());
    assertThat(output.generation()).isPositive();
    assertThat(output.attempt()).isEqualTo("s0e1");
  }

  @Test
  void aDirectoryIsItsIndexCreatedOnceAndLast() {
    var left =
        new Left.Directory(
            List.of(
                new Left.Entry("a.txt", content("aa")),
                new Left.Entry("b/\"c\".txt", content("c"))));
    var output = uploaded(UPLOADED, 3, left);

    assertThat(output.url()).isEqualTo("file:///out/3.txt/index.json");
    assertThat(objects.names())
        .containsExactly(
            "file:///out/3.txt/index.json",
            "file:///out/3.txt/j1.s0e1/a.txt",
            "file:///out/3.txt/j1.s0e1/b/\"c\".txt");
    assertThat(objects.text(output.url()))
        .contains("{\"path\":\"j1.s0e1/a.txt\",\"generation\":\"1\",\"size\":2,")
        .contains("\"path\":\"j1.s0e1/b/\\\"c\\\".txt\"")
        .startsWith("{\"job\":\"j1\",\"task\":3,\"attempt\":\"s0e1\",\"files\":[");
    assertThat(uploaded(UPLOADED, 3, left)).isEqualTo(output);
  }

  /** The ledger was restored from a backup, and names an attempt as one that it has forgotten. */
  @Test
  void filesOfForgottenAttemptAreNotMixedIn() {
    objects.put("file:///out/3.txt/j1.s0e1/a.txt", "of the forgotten one", OURS);
    var left = new Left.Directory(List.of(new Left.Entry("a.txt", content("aa"))));

    var output = uploaded(UPLOADED, 3, left);

    assertThat(objects.text(output.url())).contains("{\"path\":\"j1.s0e1-1/a.txt\"");
  }

  @Test
  void anAwayStoreIsTriedAgainAndALostFileToo() {
    var unreadable =
        new Objects.Content() {
          @Override
          public java.io.InputStream open() throws IOException {
            throw new IOException("disk error");
          }

          @Override
          public long size() {
            return 1;
          }
        };
    assertThat(upload(UPLOADED, 3, new Left.OneFile(unreadable)))
        .isInstanceOfSatisfying(
            AgentEvent.PublishFailed.class, f -> assertThat(f.retry()).isTrue());

    objects.away = true;
    assertThat(upload(UPLOADED, 3, file("text")))
        .isEqualTo(new AgentEvent.PublishFailed(attempt(0, 3), true, "the store is away"));
    assertThat(
            publication.survey(
                new AgentEffect.Survey(lease(0), UPLOADED, List.of(TaskItem.counted(1)), T0)))
        .isInstanceOf(AgentEvent.SurveyFailed.class);
  }

  @Test
  void aSurveySortsTasksByWhatLiesAtTheirOutputs() {
    objects.put("file:///out/0.txt.COMPLETE", "", Map.of());
    objects.put("file:///out/1.txt", "finished, its agent died", OURS);
    objects.put("file:///out/2.txt", "of somebody else", Map.of());
    objects.put("file:///out/3.txt/index.json", "a directory", OURS);
    objects.put("file:///out/10.txt", "another lease's", OURS);

    var found = survey(UPLOADED, LongStream.range(0, 6));
    assertThat(found.done().indexes()).containsExactly(0L, 1L, 3L);
    assertThat(found.taken().indexes()).containsExactly(2L);
    assertThat(objects.names())
        .contains("file:///out/1.txt.COMPLETE", "file:///out/3.txt.COMPLETE")
        .doesNotContain("file:///out/10.txt.COMPLETE");
    var sentinel = objects.find(Url.of("file:///out/1.txt.COMPLETE")).orElseThrow();
    assertThat(Sentinel.by(sentinel.metadata())).contains(new Sentinel.By("j0", 8, "s0e9", 2));
  }

  @Test
  void whatATaskWritesItselfIsNeitherFinishedNorInTheWayWithoutItsSentinel() {
    objects.put("file:///out/1.txt", "half", Map.of());
    objects.put("file:///out/2.txt", "half", OURS);

    var found = survey(WRITTEN, LongStream.range(0, 6));
    assertThat(found.done().isEmpty()).isTrue();
    assertThat(found.taken().isEmpty()).isTrue();
    assertThat(survey(OVERWRITING, LongStream.of(1)).taken().isEmpty()).isTrue();
  }

  @Test
  void aSurveyListsAThousandAtATimeAndNotEachOutput() {
    for (var i = 0; i < 1_000; i++) {
      objects.put("file:///out/" + i + ".txt", "x", Map.of());
      if (i % 3 == 0) objects.put("file:///out/" + i + ".txt.COMPLETE", "", Map.of());
    }
    objects.calls = 0;

    assertThat(survey(UPLOADED, LongStream.range(0, 1_000)).done().count()).isEqualTo(334);
    assertThat(objects.calls).isLessThan(5);
  }

  @Test
  void aSurveyAmongManyOtherObjectsAsksForItsOwnOnes() {
    for (var i = 0; i < 20_000; i++) objects.put("file:///out/5" + i + ".txt", "x", Map.of());
    objects.put("file:///out/9.txt.COMPLETE", "", Map.of());
    objects.calls = 0;

    var found = survey(UPLOADED, LongStream.of(4, 9));
    assertThat(found.done().indexes()).containsExactly(9L);
    assertThat(objects.calls).isLessThan(10);
  }

  @Test
  void outputsWhoseNamesNestOrGoBeyondPlainLettersAreAllFound() {
    var names = List.of("a", "a-b", "a/b", "ab", "é", "\uFFFD", "😀", "😁x");
    for (var name : names) objects.put("file:///o/" + name + ".COMPLETE", "", Map.of());
    var template =
        new dev.mayfly.core.model.JobSpec.Data(
            Optional.of("file:///o/{name}"), false, false, false);
    var items =
        LongStream.range(0, names.size())
            .mapToObj(i -> new TaskItem(i, Optional.empty(), Map.of("name", names.get((int) i))))
            .toList();

    var found =
        (AgentEvent.Surveyed)
            publication.survey(new AgentEffect.Survey(lease(0), with(template), items, T0));
    assertThat(found.done().count()).isEqualTo(names.size());
  }

  @Test
  void aTaskListIsReadAndOneThatIsGoneSaysSo() {
    objects.put("file:///b/list", "0\n1\n", Map.of());
    var there = new AgentEffect.Fetch("j1", 0, Url.of("file:///b/list"));
    var gone = new AgentEffect.Fetch("j1", 1, Url.of("file:///b/other"));

    assertThat(publication.fetch(there))
        .isEqualTo(
            new AgentEvent.ItemsFetched(
                "j1", 0, List.of(TaskItem.counted(0), TaskItem.counted(1))));
    assertThat(publication.fetch(gone))
        .isInstanceOfSatisfying(
            AgentEvent.FetchFailed.class, f -> assertThat(f.reason()).contains("file:///b/other"));
  }

  @Test
  void aSurveyOfALeaseThatBeginsLateCountsFromItsStart() {
    objects.put("file:///out/700.txt.COMPLETE", "", Map.of());
    var items = LongStream.range(600, 800).mapToObj(TaskItem::counted).toList();
    var lease = new LeaseRef("j1", 600, 4);

    var found =
        (AgentEvent.Surveyed)
            publication.survey(new AgentEffect.Survey(lease, UPLOADED, items, T0));
    assertThat(found.done().indexes()).containsExactly(700L);
  }
}
