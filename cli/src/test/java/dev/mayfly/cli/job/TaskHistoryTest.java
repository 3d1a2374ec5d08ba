package dev.mayfly.cli.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.metrics.TaskFixtures;
import dev.mayfly.core.model.MetricsRow;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.query.task.TaskStatus.State;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.wire.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mayfly tasks JOB/INDEX --history}. */
class TaskHistoryTest {
  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private FakeControlPlane control;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    control.clusters.put("lab", ViewFixtures.cluster());
    control.add(ViewFixtures.job(ViewFixtures.jobSpec(ViewFixtures.JOB)).bucket(bucket()).view());
    control.tasks.put("3", TaskFixtures.task(3, State.FAILED, Map.of(), Map.of()));
  }

  @AfterEach
  void stop() {
    control.close();
  }

  private String bucket() {
    return "file://" + home.resolve("data");
  }

  private void store(String attempt, Map<String, Double> values) {
    var rows = List.of(new MetricsRow(ViewFixtures.NOW.plusNanos(5_000_000), values));
    ObjectStores.of(Map.of())
        .create(
            BucketLayout.of(bucket()).metrics("j1", 3, attempt, 0),
            ObjectStore.Content.of(Wire.shared().metrics(rows)),
            Map.of());
  }

  @Test
  void eachAttemptHasItsRows() {
    store("s0e1", Map.of("loss", 0.123456, "at", 1.0));
    store("s0e2", Map.of("step", 7.0));

    assertThat(run("tasks", "reddit/3", "--history")).isZero();
    assertThat(run("tasks", "reddit/3", "--history", "-o", "csv")).isZero();

    var at = ViewFixtures.NOW.toString();
    assertThat(out.toString(UTF_8).lines())
        .startsWith(
            "AT                    ATTEMPT  at    loss  step", at + "  s0e1      1  0.1235     -")
        .contains(
            "at,attempt,metric.at,loss,step",
            at.replace("Z", ".005Z") + ",s0e1,1,0.123456,",
            at.replace("Z", ".005Z") + ",s0e2,,,7");
  }

  @Test
  void jsonIsAListOfAttempts() {
    store("s0e1", Map.of("step", 7.0));

    assertThat(run("tasks", "reddit/3", "--history", "-o", "json")).isZero();

    assertThat(out.toString(UTF_8))
        .startsWith("[{\"index\":3,\"attempt\":\"s0e1\",\"storedAt\":\"")
        .contains("\"values\":{\"step\":7.0}}]}]");
  }

  @Test
  void whatIsMissingIsTold() {
    control.tasks.put("4", TaskFixtures.task(4, State.RUNNING, Map.of(), Map.of()));

    assertThat(run("tasks", "reddit/4", "--history")).isZero();
    assertThat(run("tasks", "reddit", "--history")).isEqualTo(2);
    assertThat(run("tasks", "reddit/9", "--history")).isEqualTo(4);

    assertThat(err.toString(UTF_8))
        .contains(
            "nothing is stored of metrics of task 4",
            "every minute while mayfly logs -f follows",
            "--history is for one task; write reddit/0 --history");
  }

  private int run(String... args) {
    var screen = TestScreen.plain(out, err, 200);
    var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, span -> {});
    var env = Map.of("MAYFLY_HOME", home.toString());
    return Main.run(new CliContext(env, screen, conditionPoller, () -> "id"), args);
  }
}
