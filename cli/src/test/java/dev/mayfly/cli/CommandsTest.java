package dev.mayfly.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.message.UserCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole commands against a fake control plane. */
class CommandsTest {
  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Instant now = ViewFixtures.NOW;
  private int ids;
  private FakeControlPlane control;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    control.clusters.put("lab", ViewFixtures.cluster());
  }

  @AfterEach
  void stop() {
    control.close();
  }

  @Test
  void helpIsNoError() {
    assertThat(mayfly("--help")).isZero();
    assertThat(out()).contains("submit").contains("MAYFLY_DEBUG");
  }

  @Test
  void everyCommandHasAnExample() {
    var line = Commands.all(session());

    assertThat(line.getSubcommands()).hasSizeGreaterThan(14);
    assertThat(line.getSubcommands().values())
        .allSatisfy(c -> assertThat(c.getUsageMessage()).contains("Example").contains("mayfly "));
    assertThat(line.getSubcommands().get("local").getSubcommands().values())
        .allSatisfy(c -> assertThat(c.getUsageMessage()).contains("Example"));
  }

  @Test
  void typosExitAsInputError() {
    assertThat(mayfly("statu")).isEqualTo(2);
    assertThat(err()).contains("mayfly status");
    assertThat(mayfly("jobs", "--limit", "many")).isEqualTo(2);
    assertThat(err()).contains("see mayfly jobs --help").doesNotContain("Exception");
  }

  @Test
  void missingCloudNamesStartCommand() throws IOException {
    Files.delete(home.resolve("local.json"));

    assertThat(mayfly("status")).isEqualTo(75);
    assertThat(err()).contains("mayfly local");
  }

  @Test
  void unreachableControlPlaneNamesStartCommand() {
    control.close();

    assertThat(mayfly("jobs")).isEqualTo(75);
    assertThat(err()).contains("nothing answers at http://127.0.0.1").contains("mayfly local");
  }

  @Test
  void unknownNameHasOwnExitCode() {
    assertThat(mayfly("status", "nope")).isEqualTo(4);
    assertThat(mayfly("stop", "nope")).isEqualTo(4);
  }

  @Test
  void severalClustersRequireClusterOption() {
    control.clusters.put("other", ViewFixtures.cluster());

    assertThat(mayfly("workers")).isEqualTo(2);
    assertThat(err()).contains("-c");
  }

  @Test
  void everyErrorInFileIsReportedWithPlace() throws IOException {
    var file = file("name: BAD\n" + ViewFixtures.JOB.replace("name: reddit", "tusks: 3"));

    assertThat(mayfly("submit", file)).isEqualTo(2);
    assertThat(err().lines()).anyMatch(l -> l.startsWith(file + ":1: name: 'BAD'"));
    assertThat(err()).contains("tusks");
    assertThat(control.published).isEmpty();
  }

  @Test
  void impossibleJobIsRefusedUnpublished() throws IOException {
    var file = file(ViewFixtures.JOB + "resources: {cpu: 4}\n");

    assertThat(mayfly("submit", file)).isEqualTo(2);
    assertThat(err()).contains("asks for 4 CPU a task").contains("pool cpu");
    assertThat(control.published).isEmpty();
  }

  @Test
  void acceptedJobShowsUidAndTasks() throws IOException {
    assertThat(mayfly("submit", file(ViewFixtures.JOB))).isZero();

    assertThat(out()).contains("job reddit (j").contains("is accepted on cluster lab: 12 tasks");
    assertThat(((UserCommand.SubmitJob) control.published.getFirst()).submission())
        .contains("id-1");
  }

  @Test
  void submissionIdInFileIsKept() throws IOException {
    var file = file(ViewFixtures.JOB + "submission: nightly-7\n");

    assertThat(mayfly("submit", file)).isZero();

    assertThat(((UserCommand.SubmitJob) control.published.getFirst()).submission())
        .contains("nightly-7");
    assertThat(out()).contains("is accepted");

    assertThat(mayfly("submit", file)).isZero();
    assertThat(out()).contains("nothing is submitted twice");
  }

  @Test
  void liveJobWithSameContentIsNotResubmitted() throws IOException {
    control.add(ViewFixtures.job(ViewFixtures.jobSpec()).view());
    control.onSubmit = job -> List.of(ViewFixtures.job(job.spec()).view());

    assertThat(mayfly("submit", file(ViewFixtures.JOB))).isZero();
    assertThat(out()).contains("(j1) is live with this content already");
  }

  @Test
  void rejectionIsShownVerbatim() throws IOException {
    control.refusal = List.of("job reddit: name: a job named reddit is live");

    assertThat(mayfly("submit", file(ViewFixtures.JOB))).isEqualTo(2);
    assertThat(err()).contains("a job named reddit is live");
  }

  @Test
  void unprocessedMessageExitsAsUnavailable() throws IOException {
    control.onSubmit =
        job -> List.of(ViewFixtures.job(job.spec()).uid("j-other").state("failed").view());

    assertThat(mayfly("submit", file(ViewFixtures.JOB))).isEqualTo(75);
    assertThat(err()).contains("message m1").contains("60 s");
  }

  @Test
  void argumentsAfterDashesReachCommandUnchanged() throws IOException {
    var args = List.of("--epochs", "3", "a b", "$(x)", "-c", "'", "{\"k\": 1}");
    var line = new java.util.ArrayList<>(List.of("submit", file(ViewFixtures.JOB), "--"));
    line.addAll(args);

    assertThat(mayfly(line.toArray(String[]::new))).isZero();
    var command = ((UserCommand.SubmitJob) control.published.getFirst()).spec().run().command();
    assertThat(command.subList(2, command.size())).isEqualTo(args);
  }

  @Test
  void oversizedMessageIsRefusedWithRemedy() throws IOException {
    var job =
        ViewFixtures.JOB.replace(
            "{count: 12}", "{items: [" + ("\"" + "x".repeat(3_000) + "\",").repeat(100) + "y]}");

    assertThat(mayfly("submit", file(job))).isEqualTo(2);
    assertThat(err()).contains("256 KB").contains("inputs");
    assertThat(control.published).isEmpty();
  }

  @Test
  void followExitsWithJobsExitCode() throws IOException {
    var lost = ViewFixtures.failure(7, FailureCause.LOST, "not heard of\u001b[2J for 12 s");
    for (var end : Map.of("succeeded", 0, "failed", 1, "stopped", 3).entrySet()) {
      control.onSubmit =
          job -> {
            var b =
                ViewFixtures.job(job.spec())
                    .uid(UserCommand.SubmitJob.uid(job.submission().orElseThrow()));
            return List.of(
                b.view(),
                b.totals(7, 0, 0, 5).failures(lost).view(),
                b.totals(12, 0, 0, 0)
                    .attempts(Map.of(FailureCause.LOST, 1L))
                    .state(end.getKey())
                    .view());
          };

      assertThat(mayfly("submit", file(ViewFixtures.JOB), "--follow")).isEqualTo(end.getValue());
    }
    assertThat(out())
        .contains("reddit running: 7/12 done, 5 on machines")
        .containsOnlyOnce(
            "job reddit succeeded in 85s: 12 of 12 tasks done; attempts without a result: 1"
                + " lost")
        .contains("task 7 (attempt 1): lost on lab-cpu-a: not heard of for 12 s");
  }

  @Test
  void pathThatNothingMountsIsWarnedOf() throws IOException {
    assertThat(mayfly("submit", file(ViewFixtures.JOB + "env: {SET: /mnt/none}\n"))).isZero();

    assertThat(err()).contains(":7: env.SET: names /mnt/none, and the machines of cpu mount");
  }

  @Test
  void jsonIsAloneOnStdout() throws IOException {
    assertThat(mayfly("submit", file(ViewFixtures.JOB), "-o", "json")).isZero();

    assertThat(out()).startsWith("[{\"name\":\"reddit\"").hasLineCount(1);
    assertThat(err()).contains("is accepted");
  }

  @Test
  void repeatedUpChangesNothing() throws IOException {
    control.clusters.put("lab", ViewFixtures.clusterOf("lab", ViewFixtures.WARM));
    assertThat(mayfly("up", file(ViewFixtures.WARM))).isZero();

    assertThat(out()).contains("cluster lab is unchanged (generation 3)");
    assertThat(err()).contains(ViewFixtures.WARNING);
    assertThat(control.calls).contains("POST /storage/v1/b?project=p");
  }

  @Test
  void stopWaitsForLastLease() {
    var job = ViewFixtures.job(ViewFixtures.jobSpec());
    control.add(job.view(), job.state("stopping").view());
    control.workers.add(ViewFixtures.worker("lab-cpu-a", "ready", 5, Optional.empty()));

    assertThat(mayfly("stop", "reddit", "--wait", "--seconds", "4")).isEqualTo(75);
    assertThat(out()).contains("after 4 s there is still: worker lab-cpu-a (ready) with 4 tasks");

    // Until the job has ended, a shard without a holder may be on its way to a worker.
    control.workers.clear();
    assertThat(mayfly("stop", "reddit", "--wait", "--seconds", "4")).isEqualTo(75);
    assertThat(out()).contains("after 4 s there is still: the job is stopping");

    control.add(job.state("stopped").view());
    assertThat(mayfly("stop", "reddit", "--wait")).isZero();
    assertThat(out()).contains("nothing of it is left");
  }

  @Test
  void faultControlsAreSetByHttp() {
    assertThat(mayfly("local", "preempt", "lab-cpu-a", "--no-notice")).isZero();
    assertThat(out()).contains("machine lab-cpu-a is preempted");
    assertThat(mayfly("local", "stock", "z-1", "0")).isZero();
    assertThat(mayfly("local", "kill", "lab-cpu-a", "--seconds", "3")).isEqualTo(2);
    assertThat(mayfly("local", "lost-replies", "next=3", "prefx=/")).isEqualTo(2);
    assertThat(err()).contains("no setting prefx, only next, prefix; did you mean 'prefix'?");
    assertThat(mayfly("local", "tpu-reservation", "--help")).isZero();
    assertThat(out()).contains("name=…", "chips=…");

    assertThat(control.calls)
        .containsExactly(
            "POST /_sim/vms/lab-cpu-a/preempt?notice=false", "POST /_sim/zones/z-1/stock?n=0");
  }

  private int mayfly(String... args) {
    return Main.run(session(), args);
  }

  private CliContext session() {
    var screen = TestScreen.plain(out, err);
    var conditionPoller = new ConditionPoller(() -> now, this::pass);
    return new CliContext(
        Map.of("MAYFLY_HOME", home.toString()), screen, conditionPoller, () -> "id-" + ++ids);
  }

  private void pass(Duration span) {
    now = now.plus(span);
  }

  private String file(String text) throws IOException {
    return Files.writeString(home.resolve("job.yaml"), text).toString();
  }

  private String out() {
    return out.toString(UTF_8);
  }

  private String err() {
    return err.toString(UTF_8);
  }
}
