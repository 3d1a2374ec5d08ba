package dev.mayfly.sim.scheduling;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.ClusterLimits;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.plan.spending.RunTimeLimit;
import dev.mayfly.sim.fixture.ScriptedWorld;
import dev.mayfly.sim.scenario.PlannedJob;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Jobs that may take no longer than their user, or their cluster, says. */
class RunTimeLimitsTest {
  private static final int TASKS = 2_000;

  private static PlannedJob limited(int tasks, Duration most) {
    var job = ScriptedWorld.job(0, tasks, 1, ofMinutes(3), false);
    return job.with(job.spec().withAdmission(AdmissionRules.NONE.lasting(Optional.of(most))));
  }

  private static Job job(ScriptedWorld world) {
    return world.world.truth().all(Job.class).getFirst();
  }

  private static JobState.Ended end(ScriptedWorld world) {
    return job(world).state().end().orElseThrow();
  }

  private static List<EventRecord> told(ScriptedWorld world) {
    return world.world.truth().all(EventRecord.class).stream()
        .filter(event -> event.what().equals("run-time"))
        .toList();
  }

  @Test
  void jobIsStoppedWhenItsTimeIsOver() {
    var world = ScriptedWorld.of(1, 0, 2, limited(TASKS, ofHours(2)));

    world.until(world::ended, ofHours(9));

    assertThat(end(world).result()).isEqualTo(JobState.Result.STOPPED);
    assertThat(end(world).reason())
        .contains(
            " done, ",
            "its maxRunTime of 2h is over: its first task started at 2026-01-01T00:",
            "mayfly retry job-0 --max-run-time 4h");
    assertThat(end(world).totals().done()).isPositive();
    assertThat(
            Duration.between(
                RunTimeLimit.run(job(world)).since().orElseThrow(), end(world).since()))
        .isBetween(ofHours(2), ofMinutes(123));
  }

  /** Its machine boots meanwhile. */
  @Test
  void waitForMachinesDoesNotCount() {
    var world = ScriptedWorld.of(2, 0, 1, limited(TASKS, ofMinutes(10)));

    world.until(world::ended, ofHours(1));

    var wait =
        Duration.between(
            job(world).acceptedAt(), RunTimeLimit.run(job(world)).since().orElseThrow());
    assertThat(wait).isGreaterThan(Duration.ofSeconds(20));
    assertThat(Duration.between(job(world).acceptedAt(), end(world).since()))
        .isGreaterThan(wait.plusMinutes(10));
  }

  @Test
  void peopleAreToldOnceBefore() {
    var world = ScriptedWorld.of(3, 0, 2, limited(TASKS, ofHours(2)));

    world.until(world::ended, ofHours(9));

    assertThat(told(world))
        .singleElement()
        .satisfies(event -> {
          assertThat(event.why())
              .contains("its maxRunTime of 2h ends in 2", "mayfly retry job-0 --max-run-time 4h");
          assertThat(
                  Duration.between(RunTimeLimit.run(job(world)).since().orElseThrow(), event.at()))
              .isBetween(ofMinutes(96), ofMinutes(98));
        });
  }

  @Test
  void jobWithinItsTimeSucceeds() {
    var world = ScriptedWorld.of(4, 0, 2, limited(10, ofHours(2)));

    world.until(world::ended, ofHours(9));

    assertThat(end(world).result()).isEqualTo(JobState.Result.SUCCEEDED);
    assertThat(told(world)).isEmpty();
  }

  @Test
  void retryCountsAnew() {
    var world = ScriptedWorld.of(5, 0, 1, limited(200, ofHours(1)));
    world.until(world::ended, ofHours(9));
    var first = end(world);
    world.advance(ofHours(5));

    world.world.users().publish(new UserCommand.RetryJob("lab", "job-0"));
    world.until(() -> !world.ended(), ofMinutes(5));
    assertThat(RunTimeLimit.run(job(world)).since()).isEmpty();
    world.until(world::ended, ofHours(9));

    assertThat(first.totals().done()).isBetween(1L, 199L);
    assertThat(RunTimeLimit.run(job(world)).since().orElseThrow())
        .isAfter(first.since().plus(ofHours(5)));
    assertThat(end(world).totals().done()).isGreaterThan(first.totals().done());
  }

  @Test
  void longerTimeCountsFromTheStartOfTheJob() {
    var world = ScriptedWorld.of(6, 0, 1, limited(TASKS, ofHours(1)));
    world.until(() -> told(world).size() == 1, ofHours(2));
    var since = RunTimeLimit.run(job(world)).since().orElseThrow();

    world
        .world
        .users()
        .publish(new UserCommand.RetryJob("lab", "job-0").lasting(Optional.of(ofHours(3))));
    world.until(world::ended, ofHours(9));

    assertThat(end(world).reason()).contains("its maxRunTime of 3h is over");
    assertThat(Duration.between(since, end(world).since())).isBetween(ofHours(3), ofMinutes(183));
    assertThat(told(world)).hasSize(2);
  }

  @Test
  void stricterLimitOfTheClusterHoldsAndIsNamed() {
    var world = ScriptedWorld.of(7, 0, 1, limited(TASKS, ofHours(5)));
    world.advance(ofMinutes(20));
    var cluster = world.world.truth().cluster(job(world).cluster()).orElseThrow().spec();
    var limits = ClusterLimits.NONE.lasting(Optional.of(ofHours(1)));

    world
        .world
        .users()
        .publish(new UserCommand.ApplyCluster(cluster.withLimits(limits), Optional.empty(), false));
    world.until(world::ended, ofHours(9));

    assertThat(end(world).reason())
        .contains(
            "the maxRunTime of 1h that cluster lab has for each job (limits.maxRunTime in its file) is over",
            "raise limits.maxRunTime in the file of cluster lab");
    var limit = RunTimeLimit.of(job(world), cluster.withLimits(limits)).orElseThrow();
    assertThat(limit.cluster()).contains("lab");
    assertThat(Duration.between(limit.since().orElseThrow(), end(world).since()))
        .isBetween(ofHours(1), ofMinutes(63));
  }
}
