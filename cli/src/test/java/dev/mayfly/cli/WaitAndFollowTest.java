package dev.mayfly.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.core.query.JobExplanation.Reason;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.wire.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mayfly wait} and {@code mayfly events -f}. */
class WaitAndFollowTest {
  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Deque<Runnable> meanwhile = new ArrayDeque<>();
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
    var screen = TestScreen.plain(out, err);
    var context =
        new CliContext(
            Map.of("MAYFLY_HOME", home.toString()),
            screen,
            new ConditionPoller(() -> now, this::pass),
            () -> "id");
    return Main.run(context, args);
  }

  private void pass(Duration span) {
    now = now.plus(span);
    if (!meanwhile.isEmpty()) meanwhile.removeFirst().run();
  }

  private List<String> lines() {
    return out.toString(UTF_8).lines().toList();
  }

  private static JobStatus job(String name, String state) {
    var spec =
        ((UserCommand.SubmitJob)
                Wire.codec()
                    .commands(
                        ViewFixtures.JOB.replace("name: reddit", "name: " + name).getBytes(UTF_8))
                    .getFirst())
            .spec();
    return ViewFixtures.job(spec).uid("u" + name).state(state).view();
  }

  @Test
  void waitEndsWithWorstExitCode() {
    control.add(job("a", "running"), job("a", "running"), job("a", "succeeded"));
    control.add(job("b", "failed"));

    assertThat(mayfly("wait", "a", "b")).isEqualTo(1);
    assertThat(lines()).anyMatch(l -> l.startsWith("job a succeeded"));
    assertThat(lines()).anyMatch(l -> l.startsWith("job b failed"));
  }

  @Test
  void progressThatIsShownIsReportedToItsWorkers() throws IOException {
    var runs = ViewFixtures.job(ViewFixtures.jobSpec()).totals(0, 0, 0, 4);
    control.onSubmit =
        job -> List.of(runs.uid(UserCommand.SubmitJob.uid(job.submission().orElseThrow())).view());
    for (var i = 0; i < 300; i++) meanwhile.add(() -> {});
    meanwhile.add(() -> control.add(runs.state("succeeded").view()));
    var file = Files.writeString(home.resolve("job.yaml"), ViewFixtures.JOB);

    assertThat(mayfly("submit", file.toString(), "--follow")).isZero();
    assertThat(Duration.between(ViewFixtures.NOW, now)).isGreaterThan(Duration.ofSeconds(130));
    assertThat(control.published).filteredOn(UserCommand.FollowLogs.class::isInstance).hasSize(3);
  }

  @Test
  void waitForAnyEndsWithTheFirst() {
    control.add(job("a", "running"));
    control.add(job("b", "running"), job("b", "running"), job("b", "succeeded"));

    assertThat(mayfly("wait", "a", "b", "--any")).isZero();
    assertThat(lines()).singleElement().asString().startsWith("job b succeeded");
  }

  @Test
  void waitSaysWhyNothingRuns() {
    var waits = ViewFixtures.job(ViewFixtures.jobSpec()).totals(0, 0, 4, 0).view();
    control.add(waits);
    control.explanations.add(explanation("stockout", "zone z-1 has no n2-standard-2"));
    control.explanations.add(explanation("stockout", "zone z-1 has none"));
    control.explanations.add(explanation("booting", "1 worker boots"));

    assertThat(mayfly("wait", "reddit", "--timeout", "190s")).isEqualTo(75);

    assertThat(err.toString(UTF_8).lines())
        .containsExactly(
            "job reddit waits: zone z-1 has no n2-standard-2",
            "job reddit waits: 1 worker boots",
            "after 3m10s there is still: reddit");
  }

  @Test
  void waitGoesOnWithoutAnExplanation() {
    var waits = ViewFixtures.job(ViewFixtures.jobSpec()).totals(0, 0, 4, 0).view();
    control.add(waits);

    assertThat(mayfly("wait", "reddit", "--timeout", "30s")).isEqualTo(75);

    assertThat(err.toString(UTF_8).lines()).containsExactly("after 30s there is still: reddit");
  }

  @Test
  void waitLeavesOutWhatIsNoReason() {
    control.add(ViewFixtures.job(ViewFixtures.jobSpec()).totals(0, 0, 4, 0).view());
    control.explanations.add(
        new JobExplanation(
            "j1",
            "it waits",
            List.of(new Reason("region", "it runs in us"), new Reason("budget", "it is spent")),
            List.of(),
            List.of()));

    assertThat(mayfly("wait", "reddit", "--timeout", "30s")).isEqualTo(75);

    assertThat(err.toString(UTF_8)).startsWith("job reddit waits: it is spent\n");
  }

  private static JobExplanation explanation(String kind, String text) {
    return new JobExplanation(
        "j1", "it waits", List.of(new Reason(kind, text)), List.of(), List.of());
  }

  @Test
  void waitLeavesOutFailuresBeforeTheRetry() {
    var old = ViewFixtures.failure(1, FailureCause.USER, "old");
    var retried = old.at().plusSeconds(1);
    var job =
        ViewFixtures.job(ViewFixtures.jobSpec())
            .mayRunSince(retried)
            .failures(new AttemptFailure(2, "2", FailureCause.USER, 3, "fresh", "w", retried), old)
            .state("failed")
            .view();
    control.add(job);

    assertThat(mayfly("wait", "reddit")).isEqualTo(1);

    assertThat(err.toString(UTF_8)).contains("fresh").doesNotContain("old");
  }

  @Test
  void cloudThatIsGoneStopsTheJob() {
    control.add(job("a", "running"));
    meanwhile.add(control::close);

    assertThat(mayfly("wait", "a", "--timeout", "5s")).isEqualTo(75);

    assertThat(err.toString(UTF_8))
        .contains("nothing answers at http://127.0.0.1", "start one with: mayfly local")
        .contains("without it the job stands still")
        .doesNotContain("(the job continues");
  }

  @Test
  void passedTimeNamesWhatIsLeft() {
    control.add(job("a", "running"));
    control.add(job("b", "succeeded"));

    assertThat(mayfly("wait", "a", "b", "--timeout", "5s")).isEqualTo(75);
    assertThat(err.toString(UTF_8)).contains("after 5s there is still: a");
    assertThat(mayfly("wait", "a", "--timeout", "soon")).isEqualTo(2);
    assertThat(mayfly("wait", "nope")).isEqualTo(4);
  }

  private EventRecord event(int number) {
    return new EventRecord(
        "c", "e" + number, ViewFixtures.NOW.plusSeconds(number), "job/a", "what" + number, "why");
  }

  /** Newest first, as the control plane lists them. */
  private void happens(int... numbers) {
    for (var number : numbers) control.eventRecords.addFirst(event(number));
  }

  private void interrupted() {
    throw new UnavailableException("interrupted while waiting");
  }

  @Test
  void eventsAreShownOnceOldestFirst() {
    happens(1, 2);
    meanwhile.add(() -> happens(3, 5));
    meanwhile.add(() -> control.eventRecords.add(1, event(4)));
    meanwhile.add(() -> {});
    meanwhile.add(this::interrupted);

    assertThat(mayfly("events", "-f", "-o", "json")).isEqualTo(75);

    assertThat(lines())
        .extracting(l -> l.replaceAll(".*\"what\":\"(\\w+)\".*", "$1"))
        .containsExactly("what1", "what2", "what3", "what5", "what4");
  }

  @Test
  void olderEventsThanAskedForAreNeverShown() {
    happens(1, 2, 3, 4, 5);
    meanwhile.add(() -> happens(6));
    meanwhile.add(this::interrupted);

    assertThat(mayfly("events", "-f", "-n", "2")).isEqualTo(75);

    assertThat(lines())
        .extracting(l -> l.replaceAll(".*(what\\d).*", "$1"))
        .containsExactly("what4", "what5", "what6");
  }

  @Test
  void followingContinuesAfterAnEvent() {
    happens(1, 2, 3);
    meanwhile.add(() -> happens(4));
    meanwhile.add(this::interrupted);

    assertThat(mayfly("events", "-f", "--since", "e2")).isEqualTo(75);

    assertThat(lines())
        .containsExactly(
            "2026-05-01 12:00:03  what3  job/a  why", "2026-05-01 12:00:04  what4  job/a  why");
    assertThat(mayfly("events", "--since", "e2")).isEqualTo(2);
  }

  @Test
  void outageIsSurvivedWithoutGap() {
    happens(1);
    meanwhile.add(() -> control.away = true);
    meanwhile.add(() -> {
      happens(2);
      control.away = false;
    });
    meanwhile.add(this::interrupted);

    assertThat(mayfly("events", "-f")).isEqualTo(75);

    assertThat(lines()).hasSize(2);
    assertThat(err.toString(UTF_8))
        .contains("waiting for the control plane")
        .contains("the control plane is back");
  }
}
