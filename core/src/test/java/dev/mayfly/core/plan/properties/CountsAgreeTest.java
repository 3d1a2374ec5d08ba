package dev.mayfly.core.plan.properties;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.PlanFixtures;
import dev.mayfly.core.plan.capacity.HeldRuns;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.veto.WorkerVeto;
import dev.mayfly.core.plan.waiting.WaitingFacts;
import dev.mayfly.core.plan.waiting.WaitingPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** All that is said of what runs on a machine is counted by one rule, and adds up. */
class CountsAgreeTest {
  private static final int MACHINES = 500;
  private static final Resources ONE = Resources.cpu(1, GIB);

  /** What runs as reported a while ago, and what was given since, may be more than fits. */
  private static List<Worker.Held> leases(Random dice) {
    var all = new ArrayList<Worker.Held>();
    for (var i = 0; i < dice.nextInt(1, 6); i++) {
      var running = LongStream.range(0, dice.nextInt(4)).map(n -> n).boxed().toList();
      var need = Resources.cpu(0.5 * (1 + dice.nextInt(4)), GIB);
      all.add(SpecFixtures.held("uid-" + i % 2, 100L * i, need, running));
    }
    return all;
  }

  @Test
  void usedAndFreeAreAllOfTheMachine() {
    var said = 0;
    for (var seed = 0; seed < MACHINES; seed++) {
      var held = leases(new Random(seed)).toArray(Worker.Held[]::new);
      var of =
          view(pool("cpu").cpus(4).max(1).build())
              .worker("cpu", busy(), held)
              .job(PlanFixtures.job("waits", 4, 3));
      var vetoes = new WaitingPlan(of.build(), WaitingFacts.NONE).of("uid-waits");
      for (var veto : vetoes)
        if (veto instanceof WorkerVeto.Full full) {
          var used = full.users().stream().mapToLong(it -> it.uses().cpuMillis()).sum();
          var free = full.free().amounts().cpuMillis();
          assertThat(free).as("seed %d", seed).isNotNegative();
          assertThat(free + used).as("seed %d", seed).isEqualTo(full.total().cpuMillis());
          said++;
        }
    }
    assertThat(said).isGreaterThan(MACHINES / 2);
  }

  @Test
  void noMoreTasksCountAsRunningThanFit() {
    var none = List.<Long>of();
    var leases =
        List.of(
            SpecFixtures.held("a", 0, ONE, List.of(0L)),
            SpecFixtures.held("b", 0, ONE, none),
            SpecFixtures.held("b", 1, ONE, none),
            SpecFixtures.held("b", 2, ONE, none));

    assertThat(HeldRuns.of(leases, Resources.cpu(2, 8 * GIB))).containsExactly(1L, 1L, 0L, 0L);
  }

  /** Five ranges of one task each on a machine of two CPUs: three are next there. */
  @Test
  void whatMachineHoldsAsNextIsWanted() {
    var held = new Worker.Held[5];
    for (var i = 0; i < held.length; i++)
      held[i] = SpecFixtures.held("uid-j", i, ONE, i < 2 ? List.of((long) i) : List.of());
    var plan =
        PlanFixtures.plan(
            view(pool("cpu").cpus(2).max(3).build())
                .worker("cpu", busy(), held)
                .job(SpecFixtures.demand("uid-j", "j", ONE, 0, 5))
                .build());

    assertThat(plan)
        .singleElement()
        .matches(it -> it instanceof PlanDecision.Launch launch && launch.count() == 2);
  }
}
