package dev.mayfly.cli.follow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.estimate.JobEstimate;
import dev.mayfly.core.query.estimate.JobForecast;
import dev.mayfly.core.query.estimate.JobStart;
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

/** When a job may be done: while it is followed, in the list, and when it is submitted. */
class EstimatedEndTest {
  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Instant now = ViewFixtures.NOW;
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

  private int mayfly(String... args) {
    var context =
        new CliContext(
            Map.of("MAYFLY_HOME", home.toString()),
            TestScreen.plain(out, err),
            new ConditionPoller(() -> now, span -> now = now.plus(span)),
            () -> "id");
    return Main.run(context, args);
  }

  private long asked() {
    return control.calls.stream().filter(call -> call.endsWith("/estimate")).count();
  }

  /** Answers that the job is done between so many seconds from the start of the test. */
  private void estimate(long earliest, long latest) {
    control.estimate =
        new JobEstimate(
            Optional.empty(),
            Optional.of(
                new JobEstimate.Rest(
                    ViewFixtures.NOW.plusSeconds(earliest),
                    ViewFixtures.NOW.plusSeconds(latest),
                    Optional.empty(),
                    Optional.empty())),
            Optional.empty(),
            Optional.empty(),
            "in a while");
  }

  /** Follows a job that runs for so long, and returns what was printed. */
  private List<String> follow(Duration length) throws IOException {
    control.onSubmit = submitted -> List.of(job(submitted.submission().orElseThrow(), "running"));
    control.onCall =
        path -> {
          if (now.isAfter(ViewFixtures.NOW.plus(length))) control.add(job("id", "succeeded"));
        };
    assertThat(mayfly("submit", file(), "--follow")).isZero();
    return out.toString(UTF_8).lines().toList();
  }

  private static JobStatus job(String submission, String state) {
    return ViewFixtures.job(ViewFixtures.jobSpec())
        .uid(UserCommand.SubmitJob.uid(submission))
        .state(state)
        .view();
  }

  private String file() throws IOException {
    return Files.writeString(home.resolve("job.yaml"), ViewFixtures.JOB).toString();
  }

  @Test
  void followedJobSaysWhenItMayBeDone() throws IOException {
    estimate(330, 430);

    assertThat(follow(Duration.ofSeconds(60)))
        .anySatisfy(
            line -> assertThat(line).startsWith("reddit running: ").endsWith(", done in 5m to 7m"));
  }

  @Test
  void endIsAskedSeldomWhileItIsFar() throws IOException {
    estimate(36_000, 72_000);
    follow(Duration.ofMinutes(10));

    // At submission, after 10 s, and then once a minute.
    assertThat(asked()).isEqualTo(11);
  }

  @Test
  void nearEndIsAskedOften() throws IOException {
    estimate(20, 30);
    follow(Duration.ofSeconds(40));

    assertThat(asked()).isBetween(6L, 8L);
  }

  @Test
  void unknownEndIsNotShown() throws IOException {
    control.estimate = JobEstimate.unknown("none of its tasks has ended yet");

    assertThat(follow(Duration.ofSeconds(60))).noneMatch(line -> line.contains("done in"));
    // At submission, and after 10, 20 and 40 s.
    assertThat(asked()).isEqualTo(4);
  }

  @Test
  void listSaysHowLongRunningJobsGoOn() {
    estimate(310, 415);
    control.add(ViewFixtures.job(ViewFixtures.jobSpec()).view());

    assertThat(mayfly("jobs")).isZero();
    assertThat(out.toString(UTF_8)).contains("LEFT").contains("5m to 7m");

    out.reset();
    control.estimate = null;
    assertThat(mayfly("jobs")).isZero();
    assertThat(out.toString(UTF_8)).doesNotContain("LEFT");
  }

  /** Answers that a job that waits starts between so many seconds from the start of the test. */
  private void start(long earliest, long latest) {
    var spread =
        new JobStart.Spread(
            ViewFixtures.NOW.plusSeconds(earliest), ViewFixtures.NOW.plusSeconds(latest));
    control.estimate =
        new JobEstimate(
            Optional.of(new JobStart(Optional.of(spread), "in a while")),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            "unknown: none of its tasks runs now");
  }

  @Test
  void followedJobSaysWhenItMayStart() throws IOException {
    start(200, 350);
    control.onSubmit = submitted -> List.of(job(submitted.submission().orElseThrow(), "waiting"));
    control.onCall =
        path -> {
          if (now.isAfter(ViewFixtures.NOW.plusSeconds(60))) control.add(job("id", "succeeded"));
        };

    assertThat(mayfly("submit", file(), "--follow")).isZero();
    assertThat(out.toString(UTF_8).lines())
        .anySatisfy(line -> assertThat(line).endsWith(", starts in 3m to 6m"));
  }

  @Test
  void listSaysWhenWaitingJobsMayStart() {
    start(200, 350);
    control.add(ViewFixtures.job(ViewFixtures.jobSpec()).state("waiting").view());

    assertThat(mayfly("jobs")).isZero();
    assertThat(out.toString(UTF_8)).contains("starts in 3m to 6m");
  }

  @Test
  void explanationSaysWhenTheJobMayStart() {
    start(200, 350);
    control.add(ViewFixtures.job(ViewFixtures.jobSpec()).state("waiting").view());
    control.explanations.add(
        new JobExplanation("reddit", "it waits", List.of(), List.of(), List.of()));

    assertThat(mayfly("explain", "reddit")).isZero();
    assertThat(out.toString(UTF_8)).contains("  start: in a while");
  }

  @Test
  void submittedJobSaysWhatItMayTake() throws IOException {
    var run =
        new JobForecast.Run(
            720,
            1200,
            8,
            4,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    control.estimate =
        new JobEstimate(
            Optional.empty(),
            Optional.empty(),
            Optional.of(new JobForecast(Optional.of(run), "12m to 20m once its machines run")),
            Optional.empty(),
            "unknown");

    assertThat(mayfly("submit", file())).isZero();
    assertThat(out.toString(UTF_8)).contains("it takes about 12m to 20m once its machines run\n");
  }
}
