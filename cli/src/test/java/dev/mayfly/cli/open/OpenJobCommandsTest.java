package dev.mayfly.cli.open;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.query.task.TaskAdditionStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mayfly add} and {@code mayfly close}. */
class OpenJobCommandsTest {
  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private FakeControlPlane control;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    control.clusters.put("lab", ViewFixtures.cluster());
    control.add(ViewFixtures.job(ViewFixtures.jobSpec()).view());
  }

  @AfterEach
  void stop() {
    control.close();
  }

  private void taken(String id, long first, long count) {
    control.additions.put(id, new TaskAdditionStatus("j1", id, first, count, ViewFixtures.NOW));
  }

  private static String name() {
    return ViewFixtures.jobSpec().name();
  }

  @Test
  void aTaskIsAddedByItsVariables() {
    taken("id", 7, 1);

    assertThat(
            run("add", name(), "--var", "lr=0.1", "--var", "as={lr}", "--input", "gs://lab/in/a"))
        .isZero();
    assertThat(out.toString(UTF_8)).contains("1 task added to job " + name() + ": number 7");
    var values = Map.of("lr", "0.1", "as", "{lr}");
    var task = new UserCommand.NewTask(Optional.of("gs://lab/in/a"), values);
    assertThat(control.published)
        .containsExactly(new UserCommand.AddTasks("lab", name(), Optional.of("id"), List.of(task)));
  }

  @Test
  void aFileIsAddedInParts() throws IOException {
    var lines =
        IntStream.range(0, 150)
            .mapToObj("{\"lr\": %d}"::formatted)
            .collect(Collectors.joining("\n"));
    var file = Files.writeString(home.resolve("tasks.jsonl"), lines);
    taken("x-0", 3, 100);
    taken("x-100", 103, 50);

    assertThat(run("add", name(), "--file", file.toString(), "--id", "x")).isZero();
    assertThat(out.toString(UTF_8)).contains("150 tasks added", "numbers 3 to 152");
  }

  @Test
  void badInputIsRefusedWithItsPlace() throws IOException {
    var file = Files.writeString(home.resolve("tasks.jsonl"), "{\"lr\": 1}\nlr: 2\n");
    assertThat(run("add", name(), "--file", file.toString())).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("tasks.jsonl:2 is not a task; write one like");

    assertThat(run("add", name(), "--file", file.toString(), "--var", "a=1")).isEqualTo(2);
    Files.writeString(file, "\n");
    assertThat(run("add", name(), "--file", file.toString())).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("has no task; write one a line");
    assertThat(run("add", name(), "--var", "index=1")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("is what each task has by itself");
  }

  @Test
  void valuesOfAFileArriveAsWritten() throws IOException {
    var line =
        "{\"lr\": 1e-05, \"wd\": 0.0001, \"n\": 12345678901234567890, \"t\": \"né {a} ${b}\"}\n";
    var file = Files.writeString(home.resolve("tasks.jsonl"), line);
    taken("id", 7, 1);

    assertThat(run("add", name(), "--file", file.toString())).isZero();
    var values =
        Map.of("lr", "1e-05", "wd", "0.0001", "n", "12345678901234567890", "t", "né {a} ${b}");
    var task = new UserCommand.NewTask(Optional.empty(), values);
    assertThat(control.published)
        .containsExactly(new UserCommand.AddTasks("lab", name(), Optional.of("id"), List.of(task)));
  }

  @Test
  void aFileOfAnotherEncodingIsRefused() throws IOException {
    var file = Files.write(home.resolve("tasks.jsonl"), "{\"t\": \"né\"}".getBytes(ISO_8859_1));

    assertThat(run("add", name(), "--file", file.toString())).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("is not UTF-8 text; save it as UTF-8");
  }

  @Test
  void waitAndCloseTellOfRefusedAdditions() {
    var spec =
        ViewFixtures.jobSpec(
            ViewFixtures.JOB.replace("count: 12", "open: true, variables: [depth]"));
    var open = ViewFixtures.job(spec).state("succeeded").view();
    control.add(open);
    control.eventRecords.add(
        new EventRecord(
            "c1",
            "e1",
            ViewFixtures.NOW,
            "job/" + open.address(),
            "refused",
            "add: message 7 on mayfly-jobs, published by ann (claimed): tasks[0]: lacks depth"));

    for (var command : List.of("wait", "close")) {
      err.reset();
      assertThat(run(command, open.name())).isZero();
      assertThat(err.toString(UTF_8))
          .contains("refused additions to job reddit: 1, the last of them add: message 7")
          .contains("tasks[0]: lacks depth; mayfly events job/reddit lists them");
    }
  }

  @Test
  void anOrdinaryJobIsNotClosed() {
    assertThat(run("close", name())).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("is not open; it ends by itself");
  }

  private int run(String... args) {
    var screen = TestScreen.plain(out, err, 200);
    var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, span -> {});
    var cliContext =
        new CliContext(Map.of("MAYFLY_HOME", home.toString()), screen, conditionPoller, () -> "id");
    return Main.run(cliContext, args);
  }
}
