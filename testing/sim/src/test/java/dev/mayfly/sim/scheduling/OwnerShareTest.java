package dev.mayfly.sim.scheduling;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.sim.fixture.ScriptedWorld;
import dev.mayfly.sim.scenario.PlannedJob;
import dev.mayfly.sim.scenario.TaskModel;
import dev.mayfly.sim.spec.JobBuilder;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two owners share a pool that the first one filled before. */
class OwnerShareTest {
  private static final Duration MINUTE = ofMinutes(1);

  private static PlannedJob job(int number, String owner, int tasks, Duration at, Duration each) {
    return job(number, owner, 50, tasks, at, each);
  }

  private static PlannedJob job(int number, String owner, int priority, int tasks, Duration at) {
    return job(number, owner, priority, tasks, at, MINUTE);
  }

  private static PlannedJob job(
      int number, String owner, int priority, int tasks, Duration at, Duration each) {
    return job(number, owner, priority, tasks, at, each, 2);
  }

  private static PlannedJob job(
      int number, String owner, int priority, int tasks, Duration at, Duration each, double cpus) {
    var like = ScriptedWorld.job(number, tasks, cpus, each, false);
    var s = like.spec();
    var spec = JobBuilder.like(s).owner(owner).priority(priority).build();
    return new PlannedJob(
        number, spec, at, Optional.empty(), Optional.empty(), 0, 0, TaskModel.each(each));
  }

  private static long running(ScriptedWorld scriptedWorld, String owner) {
    var jobs =
        scriptedWorld.world.truth().all(Job.class).stream()
            .filter(j -> j.spec().owner().filter(owner::equals).isPresent())
            .map(Job::uid)
            .toList();
    return scriptedWorld.running().stream()
        .filter(p -> jobs.contains(p.attempt().lease().job()))
        .count();
  }

  /** Bob's average share of the running tasks, sampled every fifteen seconds. */
  private static double partOfBob(ScriptedWorld scriptedWorld, Duration time) {
    var ada = 0L;
    var bob = 0L;
    for (var i = 0; i < time.toSeconds() / 15; i++) {
      scriptedWorld.advance(ofSeconds(15));
      ada += running(scriptedWorld, "ada");
      bob += running(scriptedWorld, "bob");
    }
    return (double) bob / (ada + bob);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void laterOwnerHasHalfOfTheSlotsSoon(long seed) {
    var scriptedWorld =
        ScriptedWorld.of(
            seed,
            4,
            4,
            job(0, "ada", 50, 4_000, ofMinutes(2)),
            job(1, "bob", 50, 400, ofMinutes(30)));
    scriptedWorld.advance(ofMinutes(30));
    assertThat(running(scriptedWorld, "ada")).isEqualTo(8);

    scriptedWorld.until(() -> running(scriptedWorld, "bob") >= 4, ofMinutes(6));

    assertThat(partOfBob(scriptedWorld, ofMinutes(20))).isBetween(0.45, 0.55);
  }

  @ParameterizedTest
  @CsvSource({"10,120", "120,10", "10,10"})
  void ownersShareEvenlyHoweverLongTheirTasks(int ada, int bob) {
    var scriptedWorld =
        ScriptedWorld.of(
            5,
            4,
            4,
            job(0, "ada", 4_000, ofMinutes(2), ofSeconds(ada)),
            job(1, "bob", 4_000, ofMinutes(5), ofSeconds(bob)));
    scriptedWorld.advance(ofMinutes(15));

    assertThat(partOfBob(scriptedWorld, ofMinutes(20))).isBetween(0.45, 0.55);
  }

  @Test
  void allSlotsAreUsedWhileOwnersShare() {
    var scriptedWorld =
        ScriptedWorld.of(
            6,
            4,
            4,
            job(0, "ada", 50, 4_000, ofMinutes(2)),
            job(1, "bob", 50, 4_000, ofMinutes(5)));
    scriptedWorld.advance(ofMinutes(15));

    var used = 0L;
    for (var i = 0; i < 80; i++) {
      scriptedWorld.advance(ofSeconds(15));
      used += scriptedWorld.running().size();
    }
    assertThat(used / 80.0).isGreaterThan(7.5);
  }

  /** A worker leases many short tasks ahead; higher priorities do not wait behind them. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void shortTasksOfHigherPriorityGoFirst(long seed) {
    var scriptedWorld =
        ScriptedWorld.of(
            seed,
            1,
            1,
            shortTasks(0, "ada", 50, 600, ofMinutes(4)),
            shortTasks(1, "bob", 90, 40, ofMinutes(4).plusSeconds(5)));
    scriptedWorld.advance(ofMinutes(4).plusSeconds(10));
    assertThat(running(scriptedWorld, "ada")).isPositive();

    // Twenty seconds of work, after the started tasks.
    scriptedWorld.until(() -> running(scriptedWorld, "bob") == 4, ofSeconds(20));
    scriptedWorld.until(() -> ended(scriptedWorld, "bob"), ofSeconds(30));
  }

  private static boolean ended(ScriptedWorld scriptedWorld, String owner) {
    return scriptedWorld.world.truth().all(Job.class).stream()
        .filter(j -> j.spec().owner().filter(owner::equals).isPresent())
        .allMatch(j -> j.state().ended());
  }

  private static PlannedJob shortTasks(
      int number, String owner, int priority, int tasks, Duration at) {
    return job(number, owner, priority, tasks, at, ofSeconds(2), 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void higherPriorityGetsAllSlotsWithoutKills(long seed) {
    var scriptedWorld =
        ScriptedWorld.of(
            seed,
            4,
            4,
            job(0, "ada", 50, 4_000, ofMinutes(2)),
            job(1, "bob", 60, 400, ofMinutes(30)));
    scriptedWorld.advance(ofMinutes(30));

    scriptedWorld.until(() -> running(scriptedWorld, "bob") == 8, ofMinutes(6));

    var ada =
        scriptedWorld.world.truth().all(Job.class).stream()
            .filter(j -> j.spec().owner().equals(Optional.of("ada")))
            .findFirst()
            .orElseThrow();
    for (var i = 0; i < 4_000; i++)
      assertThat(scriptedWorld.world.truth().begun(ada.uid(), i)).isLessThanOrEqualTo(1);
  }
}
