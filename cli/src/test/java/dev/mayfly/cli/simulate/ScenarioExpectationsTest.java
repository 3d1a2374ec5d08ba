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

/** A scenario that says what it expects: {@code mayfly simulate} is a test then. */
class ScenarioExpectationsTest {
  private static final String SCENARIO =
      """
      apiVersion: mayfly.dev/v1
      kind: Scenario
      title: Four tasks of one CPU share a machine
      from: "our runbook: small work shares"
      cluster:
        pools:
          - name: cpu
            machine: {type: n2-standard-4}
            zones: [us-central1-a]
            workers: {max: 4}
      jobs:
        - {job: {name: small, resources: {cpu: 1}}, tasks: 4, takes: 10m}
      """;

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void whatHoldsIsTold() throws IOException {
    assertThat(
            simulate(
                """
                expect:
                  - {job: small, startsWithin: 2m, endsWithin: 15m, done: 4, state: succeeded}
                  - {job: small, at: 3m, until: 9m, running: 4}
                  - {launched: 1, left: 0, machines: {least: 1, most: 2}, waste: {most: 60%}}
                """))
        .as(err())
        .isZero();
    assertThat(out())
        .contains(
            "held: small begins after at most 2m (",
            "held: small, tasks done: 4 (4)",
            "held: small, tasks from 3m to 9m: 4 (4)",
            "held: machines, launched: 1 (1)",
            "held: machines at once: from 1 to 2 (1)")
        .doesNotContain("BROKEN");
  }

  @Test
  void whatIsBrokenIsToldWithWhatWasSeen() throws IOException {
    assertThat(
            simulate(
                """
                expect:
                  - {job: small, startsAfter: 1h, waits: budget, pools: cpu}
                  - {launched: 7}
                """))
        .isEqualTo(1);
    assertThat(out())
        .containsPattern("BROKEN: small begins after at least 1h; it was: \\d+s")
        .contains(
            "BROKEN: small waits for 'budget'; it was: nothing",
            "BROKEN: machines, launched: 7; it was: 1",
            "held: small runs in cpu (cpu)");
  }

  @Test
  void scenarioThatIsExpectedNotToEndIsGood() throws IOException {
    assertThat(
            simulate(
                """
                zones:
                  - {machines: 0}
                until: 1h
                expect:
                  - {job: small, done: 0, waits: stockout}
                """))
        .isZero();
    assertThat(out()).contains("NOT all jobs have ended after 1h");
  }

  @Test
  void runsAreCountedInWhichItHeld() throws IOException {
    assertThat(simulate("expect: [{job: small, endsWithin: 1m}]\n", "--runs", "3")).isEqualTo(1);
    assertThat(out()).contains("in 0 of 3 runs; the worst, of seed ");
  }

  @Test
  void mistakesAreToldWithTheirLines() throws IOException {
    var text =
        SCENARIO
            .replace("from: \"our runbook: small work shares\"\n", "")
            .replace("{max: 4}", "{mx: 4}");
    Files.writeString(
        folder.resolve("s.yaml"),
        text
            + """
            expect:
              - {job: smal, startsWithin: soon}
              - {job: small, launched: 1}
              - {running: 4}
              - {job: small, at: 1h, state: failed}
              - {pool: gpu, machines: {}}
              - {zone: us-central1-a}
              - {starts: [small]}
            """);

    assertThat(run("s.yaml")).isEqualTo(2);
    assertThat(err()).contains("s.yaml:9", "pools[0].workers.mx");

    err.reset();
    Files.writeString(
        folder.resolve("s.yaml"),
        Files.readString(folder.resolve("s.yaml")).replace("mx:", "max:"));
    assertThat(run("s.yaml")).isEqualTo(2);
    assertThat(err())
        .contains(
            "s.yaml:1: from: is missing",
            "s.yaml:13: expect[0].job: 'smal' is not there; there is small",
            "s.yaml:13: expect[0].startsWithin: 'soon' is not a duration",
            "s.yaml:14: expect[1].launched: is about machines; leave job out",
            "s.yaml:15: expect[2].running: is about a job; name it with job",
            "s.yaml:16: expect[3].at: is for running and machines",
            "s.yaml:17: expect[4].pool: 'gpu' is not there; there is cpu",
            "s.yaml:17: expect[4].machines: has neither least nor most",
            "s.yaml:18: expect[5].expect: has an entry that expects nothing",
            "s.yaml:19: expect[6].starts: has fewer than two jobs");
  }

  @Test
  void peopleDrainStopAndChange() throws IOException {
    assertThat(
            simulate(
                """
                commands:
                  - {at: 3m, drain: cpu}
                  - {at: 30m, publish: {kind: StopJob, job: small}}
                quotas:
                  - {at: 1m, region: us-central1, machines: 1}
                expect:
                  - {job: small, state: succeeded}
                  - {launched: 2}
                """))
        .as(out() + err())
        .isZero();

    assertThat(simulate("commands: [{at: 3m, drain: gpu}, {publish: {kind: StopJb, job: a}}]\n"))
        .isEqualTo(2);
    assertThat(err())
        .contains(
            "s.yaml:13: commands[0].drain: 'gpu' is no pool of the cluster", "s.yaml:13: kind");
  }

  private int simulate(String more, String... args) throws IOException {
    Files.writeString(folder.resolve("s.yaml"), SCENARIO + more);
    return run("s.yaml", args);
  }

  private int run(String file, String... more) {
    var args = new String[more.length + 2];
    args[0] = "simulate";
    args[1] = folder.resolve(file).toString();
    System.arraycopy(more, 0, args, 2, more.length);
    var env = Map.of("MAYFLY_HOME", folder.resolve("no-cloud").toString());
    var clock = new ConditionPoller(() -> Instant.EPOCH, _ -> {});
    var screen = TestScreen.plain(out, err, 120);
    return Main.run(new CliContext(env, screen, clock, () -> "id", folder), args);
  }

  private String out() {
    return out.toString(UTF_8);
  }

  private String err() {
    return err.toString(UTF_8);
  }
}
