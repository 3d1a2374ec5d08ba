package dev.mayfly.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.sim.fake.Fault;
import dev.mayfly.sim.fake.Trace;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The function instance dies after each single port call of a small scenario, and everything ends
 * all the same.
 */
class CrashEverywhereTest {
  private static Scenario small(Set<Fault> faults, Optional<Duration> stop) {
    var base = Scenarios.of(1);
    var job = Stage.job(0, 5, 2, Duration.ofSeconds(40), false);
    var planned =
        new PlannedJob(
            0,
            job.spec(),
            Duration.ofSeconds(2),
            stop,
            Optional.empty(),
            0,
            0,
            job.shortest(),
            job.longest());
    return new Scenario(
        1,
        faults,
        1,
        base.cluster(),
        java.util.Map.of(),
        java.util.List.of(planned),
        Whims.NONE,
        Duration.ofMinutes(5));
  }

  private static void crashAfterEach(Scenario scenario) {
    var whole = Run.of(scenario, PlantedBug.NONE);
    assertThat(whole.violation()).as(whole.story()).isEmpty();
    assertThat(whole.calls()).isGreaterThan(100);

    var failures =
        LongStream.rangeClosed(1, whole.calls())
            .parallel()
            .mapToObj(k -> Run.of(scenario, PlantedBug.NONE, OptionalLong.of(k), Trace.KEPT))
            .filter(r -> r.violation().isPresent())
            .map(Run.Result::story)
            .toList();

    assertThat(failures).isEmpty();
  }

  @Test
  void aJobThatRunsThrough() {
    crashAfterEach(small(EnumSet.noneOf(Fault.class), Optional.empty()));
  }

  @Test
  void aJobThatIsStopped() {
    crashAfterEach(small(EnumSet.noneOf(Fault.class), Optional.of(Duration.ofSeconds(70))));
  }

  @Test
  void aJobWhoseMachinesAreTaken() {
    crashAfterEach(
        small(
            EnumSet.of(Fault.PREEMPTED_WITHOUT_NOTICE, Fault.PREEMPTED_WITH_NOTICE),
            Optional.empty()));
  }
}
