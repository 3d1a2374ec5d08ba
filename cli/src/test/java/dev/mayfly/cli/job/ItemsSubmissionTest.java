package dev.mayfly.cli.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.client.JobSubmitter;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.wire.UserDocuments;
import dev.mayfly.wire.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs whose items are in a file beside theirs. */
class ItemsSubmissionTest {
  private static final String JOB =
      ViewFixtures.JOB
          .replace("{count: 12}", "{items: {file: trials.csv}}")
          .replace("{index}", "{lr}");

  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private FakeControlPlane control;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    control.clusters.put("lab", ViewFixtures.cluster());
    Files.writeString(home.resolve("job.yaml"), JOB);
    trials("lr,model\n0.1,a\n0.2,b\n");
  }

  @AfterEach
  void stop() {
    control.close();
  }

  @Test
  void rowsAreCountedBeforeTheSubmission() {
    assertThat(mayfly("submit", job(), "--dry-run")).isZero();
    assertThat(mayfly("validate", job())).isZero();

    assertThat(out.toString(UTF_8)).contains("2 tasks, 0 done before, 2 to run");
    assertThat(control.published).isEmpty();
  }

  @Test
  void whatIsWrongHasItsPlace() throws IOException {
    trials("lr,model\n0.1,a\n0.2\n");
    refused("trials.csv:3: has 1 value, and the header has 2 columns (lr, model)");
    trials("rate,model\n0.1,a\n");
    refused("job.yaml:6: command[1]: {lr} has no value");
    refused("the columns of the tasks' file are rate, model");
    Files.delete(home.resolve("trials.csv"));
    refused("job.yaml:5: tasks.items.file: file not found: ");
  }

  private void refused(String message) {
    for (var command :
        List.of(new String[] {"validate", job()}, new String[] {"submit", job(), "--dry-run"})) {
      err.reset();
      assertThat(mayfly(command)).isEqualTo(2);
      assertThat(err.toString(UTF_8)).contains(message);
    }
  }

  @Test
  void theTaskListIsStoredOnce() {
    var document = UserDocuments.parse(JOB.getBytes(UTF_8), "job.yaml", Map.of()).getFirst();
    var objects = ObjectStores.of(Map.of());
    var bucket = "file://" + home.resolve("bucket");

    var items = JobItems.of(context(), document, home, bucket).orElseThrow();
    items.upload(objects);
    items.upload(objects);

    var stored = objects.read(items.place(), 1_000).orElseThrow();
    assertThat(Wire.codec().tasks(stored)).hasSize(2);
    assertThat(items.place().name()).contains("/mayfly/.code/").endsWith(".jsonl");
    assertThat(
            JobSubmitter.spec(document.withItems("gs://b/a.jsonl", items.items().names())).tasks())
        .isEqualTo(new TaskSource.ItemsFile("gs://b/a.jsonl", List.of("lr", "model")));
  }

  private String job() {
    return home.resolve("job.yaml").toString();
  }

  private void trials(String text) throws IOException {
    Files.writeString(home.resolve("trials.csv"), text);
  }

  private int mayfly(String... args) {
    return Main.run(context(), args);
  }

  private CliContext context() {
    var screen = TestScreen.plain(out, err);
    var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, span -> {});
    return new CliContext(
        Map.of("MAYFLY_HOME", home.toString()), screen, conditionPoller, () -> "id");
  }
}
