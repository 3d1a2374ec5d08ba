package dev.mayfly.core.plan.preemption;

import static dev.mayfly.core.plan.PlanFixtures.ago;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.HIGH;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.LOW;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.ONE;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.ending;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.ends;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.job;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.kept;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.lease;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.longest;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.lostBefore;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.twoOfOne;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.victims;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.model.PlanDecision.EndTasks;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which running tasks end for a higher priority, and which go on. */
class RunningPreemptionTest {
  @Test
  void higherPriorityTakesWhatLosesLeast() {
    var ends = ends(twoOfOne().job(HIGH).job(LOW));

    assertThat(ends)
        .singleElement()
        .satisfies(end -> {
          assertThat(end.victims()).containsExactly(new EndTasks.Victim(1, ofMinutes(9), false));
          assertThat(end.taker()).isEqualTo(new EndTasks.For("uid-high", "ann/high", 90));
          assertThat(end.beside()).containsExactly(end.lease());
        });
  }

  @Test
  void nothingEndsWherePoolDoesNotSaySo() {
    var view =
        view(pool("cpu").cpus(2).max(1).build())
            .worker("cpu", busy(), lease("low", 0, ofMinutes(20), ofMinutes(9)))
            .job(HIGH)
            .job(LOW);

    assertThat(victims(view)).isEmpty();
    assertThat(view.reasons("high"))
        .contains(
            "pool cpu ends no running task for it: those of a lower priority go on to their ends; write preemption: running in the pool, or wait");
  }

  @Test
  void equalAndHigherPrioritiesAndSameJobStay() {
    assertThat(victims(twoOfOne().job(job("high", 10, 1)).job(LOW))).isEmpty();
    assertThat(victims(twoOfOne().job(job("low", 95, 0)).job(HIGH))).isEmpty();
    assertThat(victims(twoOfOne().job(job("low", 10, 5)))).isEmpty();
  }

  @Test
  void onlySoManyEndAsWait() {
    var view =
        view(ending(2))
            .worker("cpu", busy(), lease("low", 0, ofMinutes(20), ofMinutes(9)))
            .worker("cpu", busy(), lease("low", 10, ofMinutes(5), ofMinutes(30)))
            .job(job("high", 90, 3))
            .job(LOW);

    assertThat(victims(view))
        .containsExactly("cpu-0 uid-low 0", "cpu-0 uid-low 1", "cpu-1 uid-low 10");
  }

  @Test
  void taskWithFreshCheckpointEndsBeforeYoungerOne() {
    var lease = kept(lease("low", 0, ofMinutes(50), ofMinutes(9)), 0, ofMinutes(2));

    assertThat(ends(view(ending(1)).worker("cpu", busy(), lease).job(HIGH).job(LOW)))
        .singleElement()
        .satisfies(end ->
            assertThat(end.victims()).containsExactly(new EndTasks.Victim(0, ofMinutes(2), true)));
  }

  @Test
  void lowestPriorityEndsBeforeLeastLoss() {
    var view =
        view(ending(1))
            .worker("cpu", busy(), lease("low", 0, ofMinutes(40)), lease("mid", 0, ofMinutes(1)))
            .job(HIGH)
            .job(job("mid", 50, 0))
            .job(LOW);

    assertThat(victims(view)).containsExactly("cpu-0 uid-low 0");
  }

  @Test
  void whatLosesMoreThanItGainsGoesOn() {
    var view = twoOfOne().job(longest(HIGH, ofMinutes(8))).job(LOW);

    assertThat(victims(view)).isEmpty();
    assertThat(view.reasons("high"))
        .contains(
            "pool cpu ends no running task for it: all of a lower priority would lose more since their last checkpoint or start than 8m, the least of them 9m");
    assertThat(victims(twoOfOne().job(longest(HIGH, ofMinutes(10))).job(LOW)))
        .containsExactly("cpu-0 uid-low 1");
  }

  @Test
  void nobodyLosesMoreThanAnHour() {
    var lease = lease("low", 0, ofMinutes(61), ofMinutes(62));

    assertThat(victims(view(ending(1)).worker("cpu", busy(), lease).job(HIGH).job(LOW))).isEmpty();
    assertThat(
            victims(
                view(ending(1))
                    .worker("cpu", busy(), kept(lease, 1, ofMinutes(59)))
                    .job(HIGH)
                    .job(LOW)))
        .containsExactly("cpu-0 uid-low 1");
  }

  /** Or the youngest, which was ended last, would be ended each time. */
  @Test
  void lossesOfEarlierAttemptsCount() {
    var often = lostBefore(lease("low", 0, ofMinutes(1)), ofMinutes(20));
    var never = lease("low", 5, ofMinutes(19));

    assertThat(victims(view(ending(1)).worker("cpu", busy(), often, never).job(HIGH).job(LOW)))
        .containsExactly("cpu-0 uid-low 5");

    var spent = lostBefore(lease("low", 0, ofMinutes(1)), ofMinutes(60));
    var old = lease("low", 5, ofMinutes(70));
    var view = view(ending(1)).worker("cpu", busy(), spent, old).job(HIGH).job(LOW);
    assertThat(victims(view)).isEmpty();
    assertThat(view.reasons("high"))
        .contains(
            "pool cpu ends no running task for it: all of a lower priority would lose more since their last checkpoint or start than 1h, the least of them 1h1m, 1h of it in earlier attempts");
  }

  @Test
  void unknownStartCountsFromTheGrant() {
    var known = lease("low", 0, ofMinutes(1));
    var old =
        new Worker.Held(
            known.job(), 0, 3, ONE, ago(ofHours(2)), List.of(0L), false, 1, List.of(), List.of());
    var young =
        new Worker.Held(
            known.job(), 5, 3, ONE, ago(ofMinutes(7)), List.of(5L), false, 1, List.of(), List.of());

    assertThat(ends(view(ending(1)).worker("cpu", busy(), old, young).job(HIGH).job(LOW)))
        .singleElement()
        .satisfies(end ->
            assertThat(end.victims()).containsExactly(new EndTasks.Victim(5, ofMinutes(7), false)));
  }

  @Test
  void tasksThatNoReportNamesStay() {
    var unreported = lease("low", 0);

    assertThat(victims(view(ending(1)).worker("cpu", busy(), unreported, unreported).job(HIGH)))
        .isEmpty();
  }
}
