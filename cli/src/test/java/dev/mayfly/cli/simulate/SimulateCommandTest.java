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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mayfly simulate} without a cloud and without a control plane. */
class SimulateCommandTest {
  private static final String CLUSTER =
      """
      apiVersion: mayfly.dev/v1
      kind: Cluster
      name: lab
      bucket: gs://lab-us-central1
      pools:
        - name: cpu
          machine: {type: n2-standard-4}
          zones: [us-central1-a, us-central1-b]
          provisioning: "{how}"
          workers: {max: 4, idleAfter: 5m}
      """;

  private static final String JOB =
      """
      apiVersion: mayfly.dev/v1
      kind: Job
      name: sweep
      owner: ann
      cluster: lab
      code: .
      resources: {cpu: 4, memory: 8Gi}
      tasks: {items: [a, b, c, d, e, f, g, h]}
      command: [python, train.py, "{item}"]
      """;

  private static final String SCENARIO =
      """
      apiVersion: mayfly.dev/v1
      kind: Scenario
      cluster: cluster.yaml
      variables: {how: spot}
      jobs:
        - {job: job.yaml, takes: 20m}
      zones:
        - {boot: 90s, preempted: 60%}
        - {zone: us-central1-a, machines: 1}
      """;

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void writeFiles() throws IOException {
    Files.writeString(folder.resolve("cluster.yaml"), CLUSTER);
    Files.writeString(folder.resolve("job.yaml"), JOB);
    Files.writeString(folder.resolve("night.yaml"), SCENARIO);
  }

  @Test
  void answersWhenWhyAndForHowMuch() {
    assertThat(simulate("night.yaml")).as(err()).isZero();

    assertThat(out().lines()).allMatch(line -> line.length() <= 80, "80 columns");
    assertThat(out())
        .matches(
            "(?s).*night.yaml: all jobs have ended after \\S+, for\\s+[$]\\d+[.]\\d\\d \\(seed 1\\)\n.*")
        .containsPattern("ann/sweep +succeeded +8/8 ")
        .containsPattern("ann/sweep: tasks waited \\S+: booting: 1 machine of pool cpu")
        .containsPattern("cpu +us-central1-a +1 +")
        .containsPattern("machines cost [$]\\S+ for \\S+ hours: tasks [$]")
        .containsPattern("ann/sweep +█");
    assertThat(err()).isEmpty();
  }

  @Test
  void scheduleIsLeftOutAndSaid() throws IOException {
    Files.writeString(folder.resolve("job.yaml"), JOB + "schedule: {every: 6h}\n");

    assertThat(simulate("night.yaml")).as(err()).isZero();

    assertThat(out()).containsPattern("ann/sweep +succeeded +8/8 ");
    assertThat(err())
        .contains("the schedule of job sweep is left out: the scenario's at, every and copies say");
  }

  @Test
  void runsSaySpreadAndSettingsAreCompared() {
    assertThat(simulate("night.yaml", "--runs", "3", "--compare", "how=on-demand")).isZero();

    assertThat(out())
        .containsPattern("ALL 3 RUNS +\\S*night.yaml +how=on-demand")
        .containsPattern("attempts lost +\\d+ to \\d+ +0\n")
        .containsPattern("do not end +0 of 3 +0 of 3");
    assertThat(err()).contains("3 runs took");
  }

  @Test
  void sameSeedAnswersTheSame() {
    simulate("night.yaml", "--seed", "5", "-o", "json");
    var first = out();
    out.reset();
    simulate("night.yaml", "--seed", "5", "-o", "json");

    assertThat(out()).isEqualTo(first).contains("\"seed\":5", "\"samples\"");
  }

  @Test
  void whatDoesNotEndIsTold() throws IOException {
    change(
        "night.yaml",
        SCENARIO.replace("machines: 1", "machines: 0") + "  - {machines: 0}\nuntil: 6h\n");

    assertThat(simulate("night.yaml")).isEqualTo(1);
    assertThat(out())
        .contains("NOT all jobs have ended after 6h")
        .containsPattern("ann/sweep: tasks waited \\S+: stockout: ");
  }

  @Test
  void plotIsWritten() throws IOException {
    var file = folder.resolve("p.svg");
    assertThat(simulate("night.yaml", "--plot", file.toString())).isZero();
    assertThat(Files.readString(file))
        .startsWith("<svg ")
        .contains(
            "running tasks", "cpu us-central1-b", "ann/sweep waits", "prefers-color-scheme: dark");
  }

  @Test
  void allErrorsAreToldAtOnce() throws IOException {
    change(
        "night.yaml",
        """
        kind: Scenari
        cluster: cluster.yaml
        variables: {how: spot}
        jobs:
          - {job: job.yaml, taks: 20m}
          - {job: none.yaml, takes: {from: 30m, to: 20m}, copies: 0, fails: 120%}
          - {job: job.yaml, takes: {mean: 3m}, at: soon}
        zones:
          - {zone: us-central1-c, pool: gpu, machines: [{at: 1h}], preempted: often}
          - 7
        until: 90d
        """);

    assertThat(simulate("night.yaml")).isEqualTo(2);
    assertThat(err())
        .contains(
            "night.yaml:1: apiVersion: is missing; write apiVersion: mayfly.dev/v1",
            "night.yaml:1: kind: is 'Scenari'; write Scenario",
            "night.yaml:5: jobs[0].taks: is not a field here",
            "did you mean 'takes'",
            "night.yaml:5: jobs[0].takes: is missing",
            "night.yaml:6: jobs[1].job: file not found",
            "night.yaml:6: jobs[1].takes.to: is shorter than from",
            "night.yaml:6: jobs[1].copies: is '0'; write a whole number from 1 to 1000",
            "night.yaml:6: jobs[1].fails: is '120%'; write a part such as 10%",
            "night.yaml:7: jobs[2].takes.mean: is not a field here",
            "night.yaml:7: jobs[2].at: 'soon' is not a duration",
            "night.yaml:9: zones[0].zone: 'us-central1-c' is no zone of the cluster",
            "night.yaml:9: zones[0].pool: 'gpu' is no pool of the cluster; its pools are cpu",
            "night.yaml:9: zones[0].machines[0].count: is missing",
            "night.yaml:9: zones[0].preempted: is 'often'; write a part such as 10%",
            "zones: has an entry that is no object",
            "night.yaml:11: until: is '90d'; write a time from 0s to 24d");
    assertThat(out()).isEmpty();
  }

  @Test
  void jobsThatCannotBeSimulatedAreRefused() throws IOException {
    change("job.yaml", JOB.replace("cluster: lab", "cluster: other"));
    assertThat(simulate("night.yaml")).isEqualTo(2);
    assertThat(err()).contains("is for cluster 'other', and this scenario's is 'lab'");

    err.reset();
    change(
        "job.yaml",
        JOB.replace("{items: [a, b, c, d, e, f, g, h]}", "{inputs: \"gs://lab-us-central1/in/*\"}")
            .replace("{item}", "{input}"));
    assertThat(simulate("night.yaml")).isEqualTo(2);
    assertThat(err()).contains("jobs[0].tasks: is missing: the job's tasks are known when it runs");

    err.reset();
    change("job.yaml", JOB.replace("cpu: 4", "cpu: 40"));
    assertThat(simulate("night.yaml")).isEqualTo(2);
    assertThat(err()).contains("job.yaml:7");

    err.reset();
    change("job.yaml", JOB + "after: [prepare]\n");
    assertThat(simulate("night.yaml")).isEqualTo(2);
    assertThat(err()).contains("has 'ann/sweep', which waits for job 'prepare'; add that job");
  }

  @Test
  void copiesArriveOneAfterAnother() throws IOException {
    change(
        "night.yaml", SCENARIO.replace("takes: 20m", "takes: 5m, copies: 3, every: 2h, tasks: 4"));

    assertThat(simulate("night.yaml")).as(err()).isZero();
    assertThat(out())
        .containsPattern("ann/sweep +succeeded +4/4 ")
        .containsPattern("ann/sweep-2 +succeeded +4/4 .* 2h0?m? ")
        .containsPattern("ann/sweep-3 +succeeded +4/4 .* 4h0?m? ");
  }

  private void change(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private int simulate(String file, String... more) {
    var args = new String[more.length + 2];
    args[0] = "simulate";
    args[1] = folder.resolve(file).toString();
    System.arraycopy(more, 0, args, 2, more.length);
    var env = Map.of("MAYFLY_HOME", folder.resolve("no-cloud").toString());
    var clock = new ConditionPoller(() -> Instant.EPOCH, _ -> {});
    var screen = TestScreen.plain(out, err, 80);
    return Main.run(new CliContext(env, screen, clock, () -> "id", folder), args);
  }

  private String out() {
    return out.toString(UTF_8);
  }

  private String err() {
    return err.toString(UTF_8);
  }
}
