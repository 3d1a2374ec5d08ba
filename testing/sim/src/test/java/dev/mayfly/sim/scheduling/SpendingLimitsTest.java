package dev.mayfly.sim.scheduling;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.plan.spending.JobSpending;
import dev.mayfly.core.query.cost.CostBy;
import dev.mayfly.core.query.cost.CostReader;
import dev.mayfly.core.query.cost.CostRequest;
import dev.mayfly.sim.fixture.ScriptedWorld;
import dev.mayfly.sim.scenario.PlannedJob;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs whose tasks may cost no more than their user says, and none of whose machines fails. */
class SpendingLimitsTest {
  private static final int TASKS = 2_000;

  private static PlannedJob limited(int number, int tasks, Duration each, double maxUsd) {
    var job = ScriptedWorld.job(number, tasks, 1, each, false);
    var rules =
        new AdmissionRules(
            List.of(),
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.of(maxUsd),
            Optional.empty());
    return job.with(job.spec().withAdmission(rules));
  }

  private static Job job(ScriptedWorld world, int number) {
    return world.world.truth().all(Job.class).stream()
        .filter(job -> job.spec().name().equals("job-" + number))
        .findFirst()
        .orElseThrow();
  }

  private static JobSpending spent(ScriptedWorld world) {
    var truth = world.world.truth();
    var moved = truth.all(Usage.class).stream().filter(Usage::isEnded).toList();
    return JobSpending.of(job(world, 0), moved, truth.all(Worker.class), world.now());
  }

  /** As {@code mayfly cost JOB} says. */
  private static double cost(ScriptedWorld world) {
    var truth = world.world.truth();
    var since = LocalDate.ofInstant(world.now(), ZoneOffset.UTC).minusDays(1);
    return new CostReader(truth.ledger(), world.world.time())
        .read(
            truth.cluster(job(world, 0).cluster()).orElseThrow(),
            new CostRequest(CostBy.DAY, since, Optional.of(job(world, 0))))
        .total()
        .total()
        .usd();
  }

  private static JobState.Ended end(ScriptedWorld world) {
    return job(world, 0).state().end().orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 0.02", "2, 3, 0.1", "3, 8, 0.2", "4, 8, 0.5"})
  void jobEndsWithinItsLimit(long seed, int machines, double maxUsd) {
    var world = ScriptedWorld.of(seed, 0, machines, limited(0, TASKS, ofMinutes(3), maxUsd));

    world.until(world::ended, ofHours(9));

    assertThat(end(world).result()).isEqualTo(JobState.Result.STOPPED);
    assertThat(end(world).reason())
        .contains(
            "its maxUsd of $" + maxUsd, "what is done stays done", "mayfly retry job-0 --max-usd");
    assertThat(end(world).totals().done()).isPositive();
    assertThat(spent(world).spent()).isBetween(maxUsd * 0.7, maxUsd);
    assertThat(cost(world)).isEqualTo(spent(world).spent(), Offset.offset(1e-9));
  }

  @Test
  void peopleAreToldOnceBefore() {
    var world = ScriptedWorld.of(5, 0, 2, limited(0, TASKS, ofMinutes(3), 0.2));

    world.until(world::ended, ofHours(9));

    assertThat(
            world.world.truth().all(EventRecord.class).stream()
                .filter(event -> event.what().equals("spending")))
        .singleElement()
        .satisfies(event ->
            assertThat(event.why()).contains("of its maxUsd of $0.20, at which it is stopped"));
  }

  @Test
  void jobBelowItsLimitSucceeds() {
    var world = ScriptedWorld.of(6, 0, 2, limited(0, 40, ofSeconds(30), 5));

    world.until(world::ended, ofHours(9));

    assertThat(end(world).result()).isEqualTo(JobState.Result.SUCCEEDED);
  }

  @Test
  void otherJobsOfTheMachinesGoOn() {
    var world =
        ScriptedWorld.of(
            7,
            0,
            2,
            limited(0, TASKS, ofMinutes(3), 0.05),
            ScriptedWorld.job(1, 60, 1, ofMinutes(3), false));

    world.until(world::ended, ofHours(9));

    assertThat(end(world).result()).isEqualTo(JobState.Result.STOPPED);
    assertThat(job(world, 1).state().end().orElseThrow().result())
        .isEqualTo(JobState.Result.SUCCEEDED);
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void machinesThatAreTakenAreCounted(long seed) {
    var world = ScriptedWorld.of(seed, 0, 4, limited(0, TASKS, ofMinutes(3), 0.3));
    for (var i = 0; i < 12 && !world.ended(); i++) {
      world.advance(ofMinutes(11));
      var machines = world.world.truth().fleet().machines();
      if (!machines.isEmpty())
        world.world.truth().fleet().preempt(machines.iterator().next(), true, ofSeconds(5), false);
    }

    world.until(world::ended, ofHours(9));

    assertThat(end(world).reason()).contains("its maxUsd of $0.3");
    assertThat(job(world, 0).spent().endedUsd()).isPositive();
    assertThat(spent(world).spent()).isBetween(0.2, 0.3);
  }

  @Test
  void raisedLimitLetsItGoOn() {
    var world = ScriptedWorld.of(8, 0, 2, limited(0, 100, ofMinutes(3), 0.05));
    world.until(world::ended, ofHours(9));
    var before = end(world);

    world.world.users().publish(new UserCommand.RetryJob("lab", "job-0").upTo(Optional.of(10.0)));
    world.until(() -> !world.ended(), ofMinutes(5));
    world.until(world::ended, ofHours(9));

    assertThat(before.totals().done()).isBetween(1L, 99L);
    assertThat(end(world).result()).isEqualTo(JobState.Result.SUCCEEDED);
    assertThat(job(world, 0).maxUsd()).contains(10.0);
    assertThat(job(world, 0).spec().admission().maxUsd()).contains(0.05);
  }
}
