package dev.mayfly.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the answer of {@code mayfly simulate} says, and what it refuses to answer. */
class SimulateAnswersTest {
  private static final String POOL =
      "{name: cpu, machine: {type: n2-standard-4}, zones: [us-central1-a], workers: {max: 2}}";

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void longTimesKeepTheirMinutes() throws IOException {
    assertThat(simulate(jobs("{job: {name: a, resources: {cpu: 4}}, takes: 9h45m}"))).isZero();

    assertThat(out())
        .contains("all jobs have ended after 9h45m, for ")
        .containsPattern("a +succeeded .* 9h45m ");
  }

  @Test
  void timesOfProgramsHaveOneNotation() throws IOException {
    // An attempt that fails half way may end within a millisecond.
    var job =
        "{job: {name: a, resources: {cpu: 4}}, tasks: 9, takes: {from: 1h, to: 3h}, fails: 100%}";
    simulate(jobs(job), "-o", "json");

    assertThat(out()).doesNotContain("\"PT").containsPattern("\"took\":\"\\d+h");
  }

  @Test
  void missedDeadlineIsSaidFirst() throws IOException {
    var job =
        "{job: {name: a, resources: {cpu: 4}, onDemand: {deadline: 1h}}, tasks: 12, takes: 30m}";
    var scenario = jobs(job).replace("max: 2}", "max: 2}, onDemand: {max: 2}");

    assertThat(simulate(scenario)).as(err()).isZero();
    assertThat(out().lines().skip(1).findFirst().orElseThrow())
        .matches("a: missed its deadline by 1h\\d*m?, 1h after its submission");

    out.reset();
    simulate(scenario, "-o", "json");
    assertThat(out()).contains("\"deadline\":\"1h\"").containsPattern("\"late\":\"1h");
  }

  @Test
  void whatDidNotSucceedHasItsReason() throws IOException {
    simulate(
        jobs(
            "{job: {name: a, resources: {cpu: 4}}, takes: 10m}",
            "{job: {name: bad, resources: {cpu: 4}}, takes: 10m, fails: 100%}",
            "{job: {name: short, resources: {cpu: 4}, maxRunTime: 30m}, tasks: 9, takes: 20m}"));

    assertThat(out())
        .contains(": 1 succeeded, 1 failed, 1 stopped; for $")
        .contains("bad: failed: exit 1 (user error")
        .containsPattern("short: stopped: .*its maxRunTime of 30m is over: its first task started")
        .doesNotContain("2026-");
  }

  @Test
  void unknownVariablesAreRefused() throws IOException {
    var scenario =
        jobs("{job: {name: a, resources: {cpu: 4}}, takes: 10m}")
            .replace("n2-standard-4", "\"{type}\"")
            .replace("kind: Scenario", "kind: Scenario\nvariables: {type: n2-standard-4}");

    assertThat(simulate(scenario, "--var", "typ=n2-standard-8")).isEqualTo(2);
    assertThat(err()).contains("has no variable {typ}, which", "it has type; did you mean 'type'?");
    assertThat(simulate(scenario, "--compare", "foo=1")).isEqualTo(2);
    assertThat(simulate(scenario, "--compare", "type=n2-standard-8")).isZero();
  }

  @Test
  void jobsThatWaitForOneAnotherAreRefused() throws IOException {
    assertThat(
            simulate(
                jobs(
                    "{job: {name: a, resources: {cpu: 4}, after: [b]}, takes: 10m}",
                    "{job: {name: b, resources: {cpu: 4}, after: [a]}, takes: 10m}")))
        .isEqualTo(2);
    assertThat(err()).contains("wait for one another: a after b after a; remove one of these");
  }

  @Test
  void commandsToUnknownJobsAreRefused() throws IOException {
    var scenario =
        jobs("{job: {name: sweep, resources: {cpu: 4}}, takes: 10m}")
            + "commands: [{at: 5m, publish: {kind: StopJob, job: swep}}]\n";

    assertThat(simulate(scenario)).isEqualTo(2);
    assertThat(err()).contains("name job 'swep', which is not there", "did you mean 'sweep'?");
  }

  @Test
  void refusalNamesItsCommandOnce() throws IOException {
    simulate(
        jobs("{job: {name: a, resources: {cpu: 4}}, takes: 10m}")
            + "commands: [{at: 5m, publish: {kind: StopTasks, job: a, tasks: [99]}}]\n");

    assertThat(out()).contains("refused: stop of tasks 99 of job a: tasks: job a has the tasks 0");
  }

  @Test
  void shortTasksAreCountedThatNoMinuteSees() throws IOException {
    assertThat(
            simulate(
                jobs("{job: {name: a, resources: {cpu: 1}}, tasks: 8, takes: 10s}")
                    + "zones: [{boot: 150s}]\nfrom: us\nexpect: [{job: a, running: {least: 8}}]\n"))
        .as(out())
        .isZero();
    assertThat(out()).containsPattern("(?m)^a +█.* 8$").containsPattern("cpu us-central1-a .* 2\n");
  }

  @Test
  void machinesThatStayAreSaid() throws IOException {
    simulate(
        jobs("{job: {name: a, resources: {cpu: 4}}, takes: 10m}")
            .replace("max: 2", "max: 2, min: 2"));

    assertThat(out()).contains("left at the end: 2 machines of pool cpu, which go on costing");
  }

  @Test
  void taskThatCannotEndIsSaidBefore() throws IOException {
    simulate(jobs("{job: {name: a, resources: {cpu: 4}, timeout: 30m}, takes: 1h}"));
    assertThat(err())
        .contains("no attempt of job a can succeed: each takes 1h or more, and its timeout is 30m");

    simulate(
        jobs("{job: {name: a, resources: {cpu: 4}}, takes: 5h}")
            .replace("workers: {max: 2}", "workers: {max: 2}, life: 2h"));
    assertThat(err()).contains("and no machine lives longer than 2h (pools[].life)");
  }

  @Test
  void drawingIsOfOneFormatInAFolder() throws IOException {
    var scenario = jobs("{job: {name: a, resources: {cpu: 4}}, takes: 10m}");

    assertThat(simulate(scenario, "--plot", folder.resolve("a.png").toString())).isEqualTo(2);
    assertThat(err()).contains("draws SVG alone; name a file that ends with .svg");
    assertThat(simulate(scenario, "--plot", folder.resolve("no/a.svg").toString())).isEqualTo(2);
    assertThat(err()).contains("--plot: there is no folder ");
  }

  @Test
  void expectationOfSeveralRunsHasItsWorst() throws IOException {
    var scenario =
        jobs("{job: {name: a, resources: {cpu: 4}}, tasks: 4, takes: {from: 10m, to: 30m}}")
            + "from: us\nexpect: [{job: a, endsWithin: 30m}]\n";

    assertThat(simulate(scenario, "--runs", "6")).isEqualTo(1);
    assertThat(out())
        .containsPattern(
            "BROKEN: a ends after at most 30m; in [0-5] of 6 runs; the worst, of seed [1-6]: ");
    out.reset();
    simulate(scenario, "--runs", "6", "--compare", "s.yaml");
    assertThat(out())
        .containsPattern(
            "(?s)s.yaml: all jobs .*seed \\d+, the middle one of 6 runs.*BROKEN.*s.yaml: all");
  }

  @Test
  void brokenTimeIsToldApartFromItsLimit() throws IOException {
    simulate(
        jobs("{job: {name: a, resources: {cpu: 4}}, takes: 45m}")
            + "from: us\nexpect: [{job: a, endsWithin: 45m}]\n");

    assertThat(out()).containsPattern("a ends after at most 45m; it was: 45m\\d+s");
  }

  private static String jobs(String... jobs) {
    return """
    apiVersion: mayfly.dev/v1
    kind: Scenario
    cluster: {pools: [%s]}
    jobs: [%s]
    """
        .formatted(POOL, String.join(", ", jobs));
  }

  private int simulate(String scenario, String... more) throws IOException {
    Files.writeString(folder.resolve("s.yaml"), scenario);
    var args = new String[more.length + 2];
    args[0] = "simulate";
    args[1] = folder.resolve("s.yaml").toString();
    for (var i = 0; i < more.length; i++)
      args[i + 2] = more[i].equals("s.yaml") ? args[1] : more[i];
    var env = Map.of("MAYFLY_HOME", folder.resolve("no-cloud").toString());
    var clock = new ConditionPoller(() -> Instant.EPOCH, _ -> {});
    return Main.run(
        new CliContext(env, TestScreen.plain(out, err, 300), clock, () -> "id", folder), args);
  }

  private String out() {
    return out.toString(UTF_8);
  }

  private String err() {
    return err.toString(UTF_8);
  }
}
