package dev.mayfly.sim;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobSpec;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PROTOCOL 4: two users of one pool, which the first has filled for hours. */
class FairnessTest {
  private static final Duration MINUTE = ofMinutes(1);

  private static PlannedJob job(int number, String owner, int priority, int tasks, Duration at) {
    var like = Stage.job(number, tasks, 2, MINUTE, false);
    var s = like.spec();
    var spec =
        new JobSpec(
            s.name(),
            s.cluster(),
            Optional.of(owner),
            s.tasks(),
            s.data(),
            s.run(),
            s.resources(),
            s.retries(),
            priority,
            s.place().pools(),
            s.exclusive());
    return new PlannedJob(
        number, spec, at, Optional.empty(), Optional.empty(), 0, 0, MINUTE, MINUTE);
  }

  private static long running(Stage stage, String owner) {
    var jobs =
        stage.world.truth().all(Job.class).stream()
            .filter(j -> j.spec().owner().filter(owner::equals).isPresent())
            .map(Job::uid)
            .toList();
    return stage.running().stream().filter(p -> jobs.contains(p.attempt().lease().job())).count();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whoComesLaterHasHalfOfTheSlotsSoon(long seed) {
    var stage =
        Stage.of(
            seed,
            4,
            4,
            job(0, "ada", 50, 4_000, ofMinutes(2)),
            job(1, "bob", 50, 400, ofMinutes(30)));
    stage.pass(ofMinutes(30));
    assertThat(running(stage, "ada")).isEqualTo(8);

    stage.until(() -> running(stage, "bob") >= 3, ofMinutes(6));

    var bobs = 0L;
    for (var i = 0; i < 20; i++) {
      stage.pass(ofSeconds(60));
      bobs += running(stage, "bob");
    }
    // Of forty seeds the mean is 3.1, the least 2.6: a lottery is fair over hours, and a place that
    // falls free is drawn for alone.
    assertThat(bobs / 20.0).isBetween(2.4, 5.2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aHigherPriorityHasAllOfTheSlotsSoonAndNothingIsKilledForIt(long seed) {
    var stage =
        Stage.of(
            seed,
            4,
            4,
            job(0, "ada", 50, 4_000, ofMinutes(2)),
            job(1, "bob", 60, 400, ofMinutes(30)));
    stage.pass(ofMinutes(30));

    stage.until(() -> running(stage, "bob") == 8, ofMinutes(6));

    var ada =
        stage.world.truth().all(Job.class).stream()
            .filter(j -> j.spec().owner().equals(Optional.of("ada")))
            .findFirst()
            .orElseThrow();
    for (var i = 0; i < 4_000; i++)
      assertThat(stage.world.truth().begun(ada.uid(), i)).isLessThanOrEqualTo(1);
  }
}
