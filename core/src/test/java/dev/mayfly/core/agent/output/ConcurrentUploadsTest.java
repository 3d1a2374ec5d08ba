package dev.mayfly.core.agent.output;

import static dev.mayfly.core.agent.AgentFixtures.T0;
import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.data;
import static dev.mayfly.core.agent.AgentFixtures.lease;
import static dev.mayfly.core.agent.AgentFixtures.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentFixtures;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.StoredOutput;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two attempts of one task, each unaware of the other. */
class ConcurrentUploadsTest {
  private static final JobInfo OVERWRITING = with(data(false, true));
  private static final JobInfo UPLOADED = with(data(false, false));
  private static final ObjectUrl OUTPUT = ObjectUrl.of("file:///out/3.txt");

  private final MemoryObjectStore objects = new MemoryObjectStore();
  private final ObjectEffectExecutor objectEffectExecutor =
      new ObjectEffectExecutor(objects, new PlainCodec(), "w1");

  private AgentEvent upload(JobInfo jobInfo, int epoch, String text) {
    var content = ObjectStore.Content.of(text.getBytes(StandardCharsets.UTF_8));
    var ask = AgentFixtures.upload(attempt(epoch, 3), jobInfo);
    return objectEffectExecutor.upload(ask, new ProducedOutput.OneFile(content));
  }

  private StoredOutput uploaded(int epoch, String text) {
    return ((AgentEvent.Uploaded) upload(OVERWRITING, epoch, text)).output();
  }

  private Sentinel.By sealed(int epoch, StoredOutput storedOutput) {
    var at = OUTPUT.append(Sentinel.SUFFIX);
    var seal =
        new AgentEffect.Seal(attempt(epoch, 3), at, storedOutput.sentinel("w" + epoch, T0), false);
    return ((AgentEvent.Sealed) objectEffectExecutor.seal(seal)).by().orElseThrow();
  }

  /** Runs one of these before each replacement. */
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

    var storedOutput = uploaded(1, "loser's");

    assertThat(objects.text(OUTPUT.toString())).isEqualTo("winner's");
    assertThat(storedOutput.attempt()).isEqualTo(attempt(2, 3).name());
    assertThat(sealed(1, storedOutput).generation())
        .isEqualTo(objects.find(OUTPUT).orElseThrow().generation());
  }

  @Test
  void winnersSentinelPinsItsObject() {
    objects.put(OUTPUT.toString(), "foreign", Map.of());
    var sealed = new ArrayDeque<Sentinel.By>();
    inBetween(() -> sealed.add(sealed(2, uploaded(2, "winner's"))));

    var mine = sealed(1, uploaded(1, "loser's"));

    assertThat(sealed).containsExactly(mine);
    assertThat(mine.generation()).isEqualTo(objects.find(OUTPUT).orElseThrow().generation());
  }

  @Test
  void vanishedForeignObjectDoesNotBlockUpload() {
    objects.put(OUTPUT.toString(), "foreign", Map.of());
    inBetween(() -> objects.delete(OUTPUT, objects.find(OUTPUT).orElseThrow().generation()));

    assertThat(uploaded(1, "mine").attempt()).isEqualTo(attempt(1, 3).name());
    assertThat(objects.text(OUTPUT.toString())).isEqualTo("mine");
  }

  @Test
  void contendedObjectIsRetriedLater() {
    objects.put(OUTPUT.toString(), "foreign", Map.of());
    objects.beforeReplacing = () -> objects.put(OUTPUT.toString(), "again", Map.of());

    assertThat(upload(OVERWRITING, 1, "mine"))
        .isInstanceOfSatisfying(
            AgentEvent.PublishFailed.class, failed -> assertThat(failed.retry()).isTrue());
    assertThat(objects.text(OUTPUT.toString())).isEqualTo("again");
  }

  @Test
  void uploadWithWrongChecksumIsNotAdopted() {
    var torn =
        Map.of(
            "mayfly-job", "j1",
            "mayfly-task", "3",
            "mayfly-attempt", attempt(1, 3).name(),
            "mayfly-crc32c", "AAAAAA==");
    objects.put(OUTPUT.toString(), "half of it", torn);

    var ask = new AgentEffect.Survey(lease(0), UPLOADED, List.of(TaskItem.counted(3)), T0);
    var found = (AgentEvent.Surveyed) objectEffectExecutor.survey(ask);
    assertThat(found.done().isEmpty()).isTrue();
    assertThat(found.taken().isEmpty()).isTrue();
    assertThat(objects.names()).containsExactly(OUTPUT.toString());

    var again = AgentFixtures.upload(attempt(2, 3), UPLOADED);
    assertThat(objectEffectExecutor.upload(again, new ProducedOutput.Nothing()))
        .isInstanceOf(AgentEvent.PublishFailed.class);
    assertThat(((AgentEvent.Uploaded) upload(UPLOADED, 2, "whole")).output().attempt())
        .isEqualTo(attempt(2, 3).name());
    assertThat(objects.text(OUTPUT.toString())).isEqualTo("whole");
  }
}
