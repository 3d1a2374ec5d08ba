package dev.mayfly.core.agent;

import static dev.mayfly.core.agent.Fixtures.T0;
import static dev.mayfly.core.agent.Fixtures.attempt;
import static dev.mayfly.core.agent.Fixtures.data;
import static dev.mayfly.core.agent.Fixtures.lease;
import static dev.mayfly.core.agent.Fixtures.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.JobSheet;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.model.TaskItem;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two attempts of one task, of which each believes that it is the only one. */
class RivalUploadsTest {
  private static final JobSheet OVERWRITING = with(data(false, true));
  private static final JobSheet UPLOADED = with(data(false, false));
  private static final Url OUTPUT = Url.of("file:///out/3.txt");

  private final MemoryObjects objects = new MemoryObjects();
  private final Publication publication = new Publication(objects, new PlainCodec(), "w1");

  private AgentEvent upload(JobSheet sheet, int epoch, String text) {
    var content = Objects.Content.of(text.getBytes(StandardCharsets.UTF_8));
    var ask = new AgentEffect.Upload(attempt(epoch, 3), sheet, TaskItem.counted(3));
    return publication.upload(ask, new Left.OneFile(content));
  }

  private Output uploaded(int epoch, String text) {
    return ((AgentEvent.Uploaded) upload(OVERWRITING, epoch, text)).output();
  }

  private Sentinel.By sealed(int epoch, Output output) {
    var at = OUTPUT.plus(Sentinel.SUFFIX);
    var seal = new AgentEffect.Seal(attempt(epoch, 3), at, output.sentinel("w" + epoch, T0));
    return ((AgentEvent.Sealed) publication.seal(seal)).by().orElseThrow();
  }

  /** Before each replacement one of these happens. */
  private void inBetween(Runnable... events) {
    var left = new ArrayDeque<>(List.of(events));
    objects.beforeReplacing =
        () -> {
          var event = left.poll();
          if (event != null) event.run();
        };
  }

  @Test
  void loserOfAnOverwriteAdoptsTheWinnersUpload() {
    objects.put(OUTPUT.toString(), "foreign", Map.of());
    inBetween(() -> uploaded(2, "winner's"));

    var output = uploaded(1, "loser's");

    assertThat(objects.text(OUTPUT.toString())).isEqualTo("winner's");
    assertThat(output.attempt()).isEqualTo(attempt(2, 3).name());
    assertThat(sealed(1, output).generation())
        .isEqualTo(objects.find(OUTPUT).orElseThrow().generation());
  }

  @Test
  void winnersSentinelPinsWhatLiesThere() {
    objects.put(OUTPUT.toString(), "foreign", Map.of());
    var sealed = new ArrayDeque<Sentinel.By>();
    inBetween(() -> sealed.add(sealed(2, uploaded(2, "winner's"))));

    var mine = sealed(1, uploaded(1, "loser's"));

    assertThat(sealed).containsExactly(mine);
    assertThat(mine.generation()).isEqualTo(objects.find(OUTPUT).orElseThrow().generation());
  }

  @Test
  void foreignObjectThatGoesMeanwhileIsNoHindrance() {
    objects.put(OUTPUT.toString(), "foreign", Map.of());
    inBetween(() -> objects.delete(OUTPUT, objects.find(OUTPUT).orElseThrow().generation()));

    assertThat(uploaded(1, "mine").attempt()).isEqualTo(attempt(1, 3).name());
    assertThat(objects.text(OUTPUT.toString())).isEqualTo("mine");
  }

  @Test
  void objectThatOthersKeepReplacingIsTriedAgainLater() {
    objects.put(OUTPUT.toString(), "foreign", Map.of());
    objects.beforeReplacing = () -> objects.put(OUTPUT.toString(), "again", Map.of());

    assertThat(upload(OVERWRITING, 1, "mine"))
        .isInstanceOfSatisfying(
            AgentEvent.PublishFailed.class, failed -> assertThat(failed.retry()).isTrue());
    assertThat(objects.text(OUTPUT.toString())).isEqualTo("again");
  }

  @Test
  void uploadWithOtherBytesThanAnnouncedIsNobodysOutput() {
    var torn =
        Map.of(
            "mayfly-job", "j1",
            "mayfly-task", "3",
            "mayfly-attempt", attempt(1, 3).name(),
            "mayfly-crc32c", "AAAAAA==");
    objects.put(OUTPUT.toString(), "half of it", torn);

    var ask = new AgentEffect.Survey(lease(0), UPLOADED, List.of(TaskItem.counted(3)), T0);
    var found = (AgentEvent.Surveyed) publication.survey(ask);
    assertThat(found.done().isEmpty()).isTrue();
    assertThat(found.taken().isEmpty()).isTrue();
    assertThat(objects.names()).containsExactly(OUTPUT.toString());

    var again = new AgentEffect.Upload(attempt(2, 3), UPLOADED, TaskItem.counted(3));
    assertThat(publication.upload(again, new Left.Nothing()))
        .isInstanceOf(AgentEvent.PublishFailed.class);
    assertThat(((AgentEvent.Uploaded) upload(UPLOADED, 2, "whole")).output().attempt())
        .isEqualTo(attempt(2, 3).name());
    assertThat(objects.text(OUTPUT.toString())).isEqualTo("whole");
  }
}
