package dev.mayfly.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.page.ExportedSimulation;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.wire.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scenarios whose durations are those of an earlier job and its workers. */
class RecordedDurationsTest {
  private static final String SCENARIO =
      """
      apiVersion: mayfly.dev/v1
      kind: Scenario
      cluster:
        pools:
          - {name: cpu, machine: {type: n2-standard-4}, zones: [us-central1-a], workers: {max: 4}}
      jobs:
        - {job: {name: sweep, tasks: {count: 16}, resources: {cpu: 4}}, takes: %s}
      zones:
        - {boot: %s}
      """;

  private static final Pattern DATA =
      Pattern.compile("id=\"exported\">(.*?)</script>", Pattern.DOTALL);

  /** What a task's machine and its output take beside it. */
  private static final Duration BESIDE = Duration.ofSeconds(20);

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void areThoseOfAnEarlierJobAndItsWorkers() throws IOException {
    var before = ran("{seen: [7m, 31m]}", "{seen: [3m, 9m]}");
    write("tasks.json", before.tasks().values().iterator().next());
    write("workers.json", before.workers());

    var after = ran("{tasks: tasks.json}", "{workers: workers.json}");

    assertThat(durations(after)).allMatch(it -> near(it, 7) || near(it, 31));
    assertThat(durations(after)).anyMatch(it -> near(it, 7)).anyMatch(it -> near(it, 31));
    assertThat(after.workers())
        .map(it -> Duration.between(it.createdAt(), it.firstSyncAt().orElseThrow()))
        .allMatch(it -> near(it, 3) || near(it, 9));
    assertThat(err()).doesNotContain("count;");
  }

  @Test
  void sameSeedDrawsTheSame() throws IOException {
    write("tasks.json", ran("{from: 1m, to: 50m}", "1m").tasks().values().iterator().next());

    var first = ran("{tasks: tasks.json}", "1m");
    assertThat(ran("{tasks: tasks.json}", "1m")).isEqualTo(first);
  }

  @Test
  void leavingTasksOutIsSaid() throws IOException {
    var tasks = ran("20m", "1m").tasks().values().iterator().next();
    var json = json(tasks);
    Files.writeString(
        folder.resolve("tasks.json"),
        json.replaceFirst("\"state\":\"done\"", "\"state\":\"failed\""));

    ran("{tasks: tasks.json}", "1m");

    assertThat(err().replaceAll("\\s+", " "))
        .contains("of 16 tasks in tasks.json 15 count; the others are not done, or did not run");
  }

  @Test
  void missingFileIsSaidWithTheCommandForIt() throws IOException {
    assertThat(simulate("{tasks: no.json}", "1m")).isEqualTo(2);
    assertThat(err())
        .contains("night.yaml:7: jobs[0].takes.tasks")
        .contains("no.json")
        .contains("it is written so: mayfly tasks JOB -n 100000 -o json > no.json");

    err.reset();
    assertThat(simulate("1m", "{workers: no.json}")).isEqualTo(2);
    assertThat(err())
        .contains("night.yaml:9: zones[0].boot.workers")
        .contains("mayfly workers --all -o json > no.json");
  }

  @Test
  void fileOfAnotherKindIsRefused() throws IOException {
    for (var other : List.of("a: 1", "{}", "[1]", "[{\"name\": \"w\"}]", "")) {
      err.reset();
      Files.writeString(folder.resolve("tasks.json"), other);

      assertThat(simulate("{tasks: tasks.json}", "1m")).as(other).isEqualTo(2);
      assertThat(err()).contains("names tasks.json, which is no list of tasks as JSON");
    }
  }

  @Test
  void fileWithoutATaskThatIsDoneIsRefused() throws IOException {
    Files.writeString(folder.resolve("tasks.json"), "[]");

    assertThat(simulate("{tasks: tasks.json}", "1m")).isEqualTo(2);
    assertThat(err()).contains("names tasks.json, of whose 0 tasks all are not done");
  }

  @Test
  void whatIsNoFileIsNotRead() throws IOException {
    assertThat(simulate("{tasks: /dev/zero}", "1m")).isEqualTo(2);

    assertThat(err()).contains("names /dev/zero, which is not a file");
  }

  @Test
  void fileThatIsTooLargeIsNotRead() throws IOException {
    try (var file = new RandomAccessFile(folder.resolve("tasks.json").toFile(), "rw")) {
      file.setLength(90L << 20);
    }

    assertThat(simulate("{tasks: tasks.json}", "1m")).isEqualTo(2);
    assertThat(err()).contains("names tasks.json of 90 MB, and at most 64 MB are read");
  }

  @Test
  void tasksAreNotForBootsNorWorkersForTasks() throws IOException {
    assertThat(simulate("{workers: w.json}", "{tasks: t.json}")).isEqualTo(2);
    assertThat(err())
        .contains("jobs[0].takes.workers: is not a field here; the fields are from, median, p90")
        .contains("zones[0].boot.tasks: is not a field here; the fields are from, median, p90");
  }

  private static boolean near(Duration time, int minutes) {
    return time.minusMinutes(minutes).abs().compareTo(BESIDE) < 0;
  }

  private static List<Duration> durations(ExportedSimulation of) {
    return of.tasks().values().iterator().next().stream()
        .filter(it -> it.state() == TaskStatus.State.DONE)
        .map(it -> Duration.between(it.startedAt().orElseThrow(), it.endedAt().orElseThrow()))
        .toList();
  }

  private ExportedSimulation ran(String takes, String boot) throws IOException {
    assertThat(simulate(takes, boot)).as(err()).isZero();
    var data = DATA.matcher(Files.readString(folder.resolve("night.html")));
    assertThat(data.find()).isTrue();
    return Wire.shared()
        .read(ExportedSimulation.class, data.group(1).replace("\\u003c", "<").getBytes(UTF_8));
  }

  private void write(String name, Object result) throws IOException {
    Files.writeString(folder.resolve(name), json(result));
  }

  private static String json(Object result) {
    return new String(Wire.shared().json(result), UTF_8);
  }

  private int simulate(String takes, String boot) throws IOException {
    Files.writeString(folder.resolve("night.yaml"), SCENARIO.formatted(takes, boot));
    var clock = new ConditionPoller(() -> Instant.EPOCH, _ -> {});
    var screen = TestScreen.plain(out, err, 200);
    return Main.run(
        new CliContext(Map.of(), screen, clock, () -> "id", folder),
        "simulate",
        folder.resolve("night.yaml").toString(),
        "--page",
        "night.html");
  }

  private String err() {
    return err.toString(UTF_8);
  }
}
