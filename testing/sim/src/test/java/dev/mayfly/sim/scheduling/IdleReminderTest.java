package dev.mayfly.sim.scheduling;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.sim.fixture.ScriptedWorld;
import dev.mayfly.sim.scenario.PlannedJob;
import java.util.List;
import org.junit.jupiter.api.Test;

/** People are told of machines that cost money while there is no job. */
class IdleReminderTest {
  private static PlannedJob work(int number) {
    return ScriptedWorld.job(number, 4, 1, ofMinutes(3), false);
  }

  /** The same eleven hours after the beginning. */
  private static PlannedJob later(PlannedJob job) {
    return new PlannedJob(
        job.number(), job.spec(), ofHours(11), job.stopAt(), job.again(), 0, 0, job.tasks());
  }

  private static List<EventRecord> told(ScriptedWorld world) {
    return world.world.truth().all(EventRecord.class).stream()
        .filter(event -> event.what().equals("forgotten"))
        .toList();
  }

  @Test
  void warmMachinesAreToldOnceADay() {
    var world = ScriptedWorld.of(1, 2, 3, work(0));
    world.until(world::ended, ofHours(1));

    world.advance(ofMinutes(715));
    assertThat(told(world)).isEmpty();

    world.advance(ofMinutes(10));
    assertThat(told(world))
        .singleElement()
        .satisfies(event ->
            assertThat(event.why())
                .startsWith("no job has run or waited for 12h, since 2026-01-01T00:")
                .contains("and 2 machines of it cost $0.")
                .endsWith(
                    ": 2 of pool small (workers.min: 0 in its file); mayfly down lab ends all of them"));

    world.advance(ofHours(23));
    assertThat(told(world)).hasSize(1);
    world.advance(ofHours(1).plusMinutes(5));
    assertThat(told(world)).hasSize(2);
  }

  @Test
  void jobBeginsTheTimeAnew() {
    var world = ScriptedWorld.of(2, 1, 3, work(0), later(work(1)));

    world.advance(ofHours(22));
    assertThat(told(world)).isEmpty();

    world.advance(ofHours(2));
    assertThat(told(world)).hasSize(1);
  }

  @Test
  void clusterWithoutMachinesIsNotForgotten() {
    var world = ScriptedWorld.of(3, 0, 3, work(0));

    world.advance(ofHours(40));

    assertThat(told(world)).isEmpty();
  }
}
