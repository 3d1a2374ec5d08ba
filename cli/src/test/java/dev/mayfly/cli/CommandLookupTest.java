package dev.mayfly.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.EventRecord;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How commands find names, refuse unknown ones, and follow jobs. */
class CommandLookupTest {
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
  void uniqueJobNeedsNoClusterOption() {
    control.clusters.put("other", ViewFixtures.cluster("other", "gs://lab"));
    control.add(ViewFixtures.job(ViewFixtures.jobSpec()).state("stopped").view());

    assertThat(mayfly("stop", "reddit")).as(err()).isZero();
    assertThat(mayfly("stop", "none")).isEqualTo(4);
    assertThat(err()).contains("no cluster has job none; the clusters are lab, other");
  }

  @ParameterizedTest
  @CsvSource({
    "stop ||'' names no job; write NAME; OWNER/NAME or its uid",
    "explain a/b/c/d|'a/b/c/d' names no job",
    "explain ../rejections|'../rejections' names no job",
    "workers -c lab?x=1#|'lab?x=1#' is not a cluster's name; which has only letters",
    "logs -c lab/jobs reddit|'lab/jobs' is not a cluster's name",
  })
  void whatIsNoNameIsRefusedUnasked(String line) {
    var parts = line.split("\\|", -1);
    var words = parts[0].split(" ", -1);
    var calls = control.calls.size();

    assertThat(mayfly(words)).isEqualTo(2);
    assertThat(err().replace(',', ';')).contains(parts[parts.length - 1]);
    assertThat(control.calls.subList(calls, control.calls.size()))
        .allMatch(call -> call.equals("GET /api/v1/clusters"));
  }

  @ParameterizedTest
  @CsvSource({
    "statsu --help, mayfly status",
    "slice craete -h, mayfly slice create",
    "simulat --help, mayfly simulate"
  })
  void anUnknownCommandHasNoHelp(String words, String hint) {
    assertThat(mayfly(words.split(" "))).isEqualTo(2);
    assertThat(err()).contains(hint).contains("--help");
    assertThat(out()).isEmpty();
  }

  @Test
  void knownCommandsHaveHelp() {
    for (var words : List.of("slice create --help", "status -h", "--help", "local --help"))
      assertThat(mayfly(words.split(" "))).as(words).isZero();
  }

  @Test
  void anArgumentThatIsNotReadableIsRefused() {
    assertThat(mayfly("run", "--", "echo", "na\uFFFDve")).isEqualTo(2);
    assertThat(err()).contains("na\uFFFDve is not text in UTF-8");
    assertThat(control.published).isEmpty();
  }

  @Test
  void aNameThatNoFileCanHaveIsRefused() {
    assertThat(mayfly("validate", "a\0b.yaml")).isEqualTo(2);
    assertThat(err()).contains("cannot be the name of a file here").doesNotContain("bug");
  }

  @Test
  void unknownWorkerOrSliceIsNotFound() {
    control.workers.add(ViewFixtures.worker("lab-cpu-a", "ready", 5, Optional.empty()));

    for (var line :
        List.of(
            List.of("drain", "none"),
            List.of("worker", "remove", "none"),
            List.of("slice", "delete", "none"),
            List.of("slice", "reshape", "none", "2xv4-64"),
            List.of("slice", "reshape", "none", "--type", "v4-64", "--count", "2")))
      assertThat(mayfly(line.toArray(String[]::new))).as("%s", line).isEqualTo(4);

    assertThat(err())
        .contains("cluster lab has no worker none; its workers are lab-cpu-a")
        .contains("cluster lab has no slice none; it has none");
    assertThat(control.published).isEmpty();
  }

  @Test
  void storageIsListedAndCopiedByName() {
    assertThat(mayfly("storage", "ls")).as(err()).isZero();
    assertThat(err()).contains("cluster lab has no storage");

    assertThat(mayfly("storage", "cp", "data:x", home.toString())).isEqualTo(4);
    assertThat(err()).contains("cluster lab has no storage data; it has none");
  }

  @Test
  void invalidArgumentsAreRefused() throws IOException {
    assertThat(mayfly("jobs", "-n", "-3")).isEqualTo(2);
    assertThat(mayfly("submit", home.toString())).isEqualTo(2);
    control.add(ViewFixtures.job(ViewFixtures.jobSpec()).view());
    assertThat(mayfly("logs", "reddit", "12")).isEqualTo(4);

    assertThat(err())
        .contains("-n is -3; write 1 or more")
        .contains(home + " is a folder; name the file in it, none there is a Job")
        .contains("job reddit has no task 12; its tasks are 0 to 11");
  }

  @Test
  void followedRetryShowsNoOldFailures() {
    var old = ViewFixtures.failure(7, FailureCause.USER, "old error");
    var fresh =
        new AttemptFailure(
            8, "2", FailureCause.USER, 139, "new error", "lab-cpu-a", ViewFixtures.NOW);
    var failed =
        ViewFixtures.job(ViewFixtures.jobSpec()).totals(11, 1, 0, 0).failures(old).state("failed");
    var before = failed.view();
    var running = failed.state("running").totals(11, 0, 0, 1).view();
    var seen = failed.failures(fresh, old).view();
    var ended = failed.totals(12, 0, 0, 0).state("succeeded").view();
    control.add(before, running, running, seen, ended);

    assertThat(mayfly("retry", "reddit", "--follow")).as(err()).isZero();
    assertThat(out())
        .contains("job reddit runs again: 1 task to do")
        .contains("task 8 (attempt 2): user error (exit code 139, SIGSEGV) on lab-cpu-a: new error")
        .doesNotContain("old error");
  }

  @Test
  void eventsAreListedAndFiltered() {
    control.add(ViewFixtures.job(ViewFixtures.jobSpec()).view());
    control.eventRecords.add(
        new EventRecord(
            "c1", "e1", ViewFixtures.NOW.minusSeconds(8), "job/reddit", "accepted", "12 tasks"));
    control.eventRecords.add(
        new EventRecord(
            "c1", "e2", ViewFixtures.NOW.minusSeconds(9), "worker/a", "lost", "silent"));

    assertThat(mayfly("events")).isZero();
    assertThat(out())
        .containsPattern("8s +\\d\\d:\\d\\d:\\d\\d  accepted  job/reddit  12 tasks")
        .contains("worker/a");
    out.reset();
    assertThat(mayfly("events", "job/reddit", "-o", "json")).isZero();
    assertThat(out()).startsWith("[{").contains("accepted").doesNotContain("silent");
    assertThat(mayfly("events", "reddit")).isEqualTo(2);
    assertThat(err()).contains("write job/reddit or worker/reddit");
  }

  @Test
  void severalJobsAreFollowedTogether() throws IOException {
    control.onSubmit =
        job -> {
          var b =
              ViewFixtures.job(job.spec())
                  .uid(UserCommand.SubmitJob.uid(job.submission().orElseThrow()));
          var running = b.view();
          var ended = b.state(job.spec().name().equals("slow") ? "failed" : "succeeded").view();
          return job.spec().name().equals("slow")
              ? List.of(running, running, running, running, ended)
              : List.of(running, ended);
        };
    var jobs = ViewFixtures.JOB.replace("reddit", "slow") + "---\n" + ViewFixtures.JOB;

    assertThat(mayfly("submit", file(jobs), "--wait")).isEqualTo(1);
    assertThat(out().lines().filter(line -> line.contains("tasks done")))
        .satisfiesExactly(
            first -> assertThat(first).startsWith("job reddit succeeded"),
            then -> assertThat(then).startsWith("job slow failed"));
  }

  @Test
  void jobsBesideRefusedOneAreFollowed() throws IOException {
    control.onSubmit =
        job -> {
          if (job.spec().name().equals("bad")) return List.of();
          var b =
              ViewFixtures.job(job.spec())
                  .uid(UserCommand.SubmitJob.uid(job.submission().orElseThrow()));
          return List.of(b.view(), b.state("succeeded").view());
        };
    control.refuses = name -> name.equals("bad");
    var jobs = ViewFixtures.JOB.replace("reddit", "bad") + "---\n" + ViewFixtures.JOB;

    assertThat(mayfly("submit", file(jobs), "--wait")).isEqualTo(2);
    assertThat(out()).contains("job reddit succeeded");
    assertThat(err()).contains("no object matches");
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
