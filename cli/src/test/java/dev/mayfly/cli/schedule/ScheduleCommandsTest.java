package dev.mayfly.cli.schedule;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserCommand.ChangeSchedule.Action;
import dev.mayfly.core.model.schedule.ScheduleRule;
import dev.mayfly.core.plan.schedule.ScheduleText;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.core.query.schedule.ScheduleStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that are submitted again and again, on the command line. */
class ScheduleCommandsTest {
  private static final ScheduleRule NIGHTLY = ScheduleRule.at("02:30", "Europe/Berlin");
  private static final String JOB =
      """
      apiVersion: mayfly.dev/v1
      kind: Job
      name: nightly
      cluster: lab
      owner: ann
      schedule: {at: "02:30", timeZone: Europe/Berlin}
      tasks: {count: 1, output: "gs://lab/%s/{index}"}
      command: [work]
      """;

  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final List<ScheduleStatus> stored = new ArrayList<>();
  private FakeControlPlane control;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    control.onTaken = this::take;
    show();
  }

  @AfterEach
  void stop() {
    control.close();
  }

  private void take(UserCommand command, String message) {
    var address =
        switch (command) {
          case UserCommand.SubmitJob job -> {
            stored.clear();
            stored.add(schedule(job.schedule().orElseThrow(), "active", Optional.empty()));
            yield job.spec().address();
          }
          case UserCommand.ChangeSchedule change -> {
            change(change.action());
            yield change.schedule();
          }
          default -> "";
        };
    show();
    control.eventRecords.add(
        new EventRecord(
            "c1",
            "e-" + message,
            ViewFixtures.NOW,
            "schedule/" + address,
            "received",
            "submit: message %s on mayfly-jobs, published by ann".formatted(message)));
  }

  private void change(Action action) {
    stored.clear();
    if (action == Action.PAUSE) stored.add(schedule(NIGHTLY, "paused", Optional.empty()));
    if (action == Action.RESUME) stored.add(schedule(NIGHTLY, "active", Optional.empty()));
    if (action == Action.RUN)
      stored.add(schedule(NIGHTLY, "active", Optional.of(last("submitted", Optional.empty()))));
  }

  private static ScheduleStatus.Last last(String outcome, Optional<String> why) {
    var state = Optional.of("succeeded").filter(_ -> why.isEmpty());
    return new ScheduleStatus.Last(
        ViewFixtures.NOW.minusSeconds(3_600),
        outcome,
        "nightly-20260131-0130",
        Optional.of("j0"),
        state,
        why);
  }

  private static ScheduleStatus schedule(
      ScheduleRule rule, String state, Optional<ScheduleStatus.Last> last) {
    var next = Optional.of(ViewFixtures.NOW.plusSeconds(7_200)).filter(_ -> state.equals("active"));
    return new ScheduleStatus(
        "nightly", Optional.of("ann"), ScheduleText.of(rule), rule, state, next, last, 2);
  }

  /** What the cluster now says of its schedules. */
  private void show() {
    var c = ViewFixtures.cluster();
    control.clusters.put(
        "lab",
        new ClusterStatus(
            c.name(),
            c.uid(),
            c.phase(),
            c.generation(),
            c.createdAt(),
            c.spec(),
            c.workers(),
            c.pools(),
            c.used(),
            c.total(),
            c.accelerators(),
            c.jobs(),
            c.problems(),
            c.idle(),
            stored,
            c.sharing()));
  }

  private int mayfly(String... args) {
    out.reset();
    err.reset();
    var screen =
        TestScreen.plain(
            new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), Screen.ENDLESS);
    var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, span -> {});
    var variables = Map.of("MAYFLY_HOME", home.toString(), "USER", "ann");
    return Main.run(new CliContext(variables, screen, conditionPoller, () -> "id-1"), args);
  }

  private String file(String output) throws IOException {
    return Files.writeString(home.resolve("job.yaml"), JOB.formatted(output)).toString();
  }

  @Test
  void submittedFileIsStoredAndSaysWhen() throws IOException {
    assertThat(mayfly("submit", file("{name}"))).as("%s", err).isZero();

    assertThat(out.toString(UTF_8))
        .isEqualTo(
            "schedule nightly is stored on cluster lab: each day at 02:30 Europe/Berlin, next at %s\n"
                .formatted(ViewFixtures.NOW.plus(Duration.ofHours(2))));
    assertThat(control.published)
        .singleElement()
        .isInstanceOfSatisfying(
            UserCommand.SubmitJob.class, c -> assertThat(c.schedule()).contains(NIGHTLY));
  }

  @Test
  void replacedScheduleAndEqualOutputsAreTold() throws IOException {
    stored.add(schedule(ScheduleRule.every(Duration.ofHours(6)), "active", Optional.empty()));
    show();

    assertThat(mayfly("submit", file("fixed"))).as("%s", err).isZero();

    assertThat(out.toString(UTF_8))
        .contains("; it replaces the one before, which was every 6h\n")
        .contains("all of its jobs write the same outputs")
        .contains("write {name} in tasks.output");
  }

  @Test
  void followingWhatRunsLaterIsRefused() throws IOException {
    assertThat(mayfly("submit", file("{name}"), "--follow")).isEqualTo(2);

    assertThat(err.toString(UTF_8))
        .contains("schedule: says when the job is submitted, and --follow is of jobs that are")
        .contains("submitted now");
    assertThat(control.published).isEmpty();
  }

  @Test
  void planSaysTheFirstTime() throws IOException {
    assertThat(mayfly("submit", file("{name}"), "--dry-run")).as("%s", err).isZero();

    assertThat(out.toString(UTF_8))
        .contains("schedule nightly: each day at 02:30 Europe/Berlin, first at ");
    assertThat(control.published).isEmpty();
  }

  @Test
  void listSaysWhenAndWhatBecameOfTheLast() {
    stored.add(
        schedule(
            NIGHTLY, "active", Optional.of(last("skipped", Optional.of("job x has not ended")))));
    show();

    assertThat(mayfly("schedule")).as("%s", err).isZero();

    assertThat(out.toString(UTF_8).lines().map(line -> line.replaceAll(" +", " ").strip()))
        .containsExactly(
            "SCHEDULE WHEN NEXT LAST AGO MISSED WHY",
            "ann/nightly each day at 02:30 Europe/Berlin in 2h skipped 1h 2 job x has not ended");
    assertThat(mayfly("status")).isZero();
    assertThat(out.toString(UTF_8)).contains("ann/nightly");
    assertThat(mayfly("schedule", "-o", "json")).isZero();
    assertThat(out.toString(UTF_8)).startsWith("[{\"name\":\"nightly\",\"owner\":\"ann\"");
  }

  @Test
  void downOfTheirClusterSaysThatTheyEnd() {
    stored.add(schedule(NIGHTLY, "active", Optional.empty()));
    show();
    control.onTaken = (_, _) -> {};

    assertThat(mayfly("down", "lab")).as("%s", err).isZero();

    assertThat(out.toString(UTF_8)).contains("\n  it ends 1 schedule: ann/nightly\n");
  }

  @Test
  void noScheduleIsAnAnswer() {
    assertThat(mayfly("schedule")).isZero();

    assertThat(err.toString(UTF_8)).startsWith("no schedules; write schedule: {every: 6h} into");
  }

  @Test
  void changesNameWhatBecameOfIt() {
    stored.add(schedule(NIGHTLY, "active", Optional.empty()));
    show();

    assertThat(said("pause"))
        .isEqualTo(
            "schedule ann/nightly is paused; mayfly schedule resume ann/nightly ends that\n");
    assertThat(said("resume")).startsWith("schedule ann/nightly is active, next at ");
    assertThat(said("run"))
        .isEqualTo("job nightly-20260131-0130 of schedule ann/nightly is submitted\n");
    assertThat(said("delete")).isEqualTo("schedule ann/nightly is deleted; its jobs go on\n");
    assertThat(control.published)
        .map(c -> ((UserCommand.ChangeSchedule) c).action())
        .containsExactly(Action.PAUSE, Action.RESUME, Action.RUN, Action.DELETE);
  }

  private String said(String verb) {
    assertThat(mayfly("schedule", verb, "nightly")).as("%s", err).isZero();
    return out.toString(UTF_8);
  }

  @Test
  void unknownNameIsToldWithTheKnown() {
    stored.add(schedule(NIGHTLY, "active", Optional.empty()));
    show();

    assertThat(mayfly("schedule", "pause", "weekly")).isEqualTo(4);

    assertThat(err.toString(UTF_8))
        .contains("cluster lab has no schedule weekly; its schedules are ann/nightly");
  }
}
