package dev.mayfly.core.plan.waiting;

import static dev.mayfly.core.SpecFixtures.stockout;
import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.ZONE;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.idleFor;
import static dev.mayfly.core.plan.PlanFixtures.job;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.PlanFixtures;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.WorkerVeto;
import dev.mayfly.core.plan.veto.ZoneVeto;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GangMachinesTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static PlanFixtures.Of busyZoneBesideEmptyOne() {
    return view(pool("cpu").zones("us-central2-a", ZONE).build())
        .stockout(stockout("us-central2-a", "n2-standard-2", MINUTE))
        .stockout(stockout(ZONE, "n2-standard-2", MINUTE))
        .worker("cpu", busy(), held("train"))
        .worker("cpu", busy(), held("train"));
  }

  private static Worker.Held held(String job) {
    return new Worker.Held(
        "uid-" + job,
        0,
        1,
        Resources.cpu(2, GIB),
        NOW.minus(MINUTE),
        List.of(0L),
        false,
        1,
        List.of(NOW),
        List.of());
  }

  private static JobDemand train() {
    return job("train", 2, 0)
        .waiting(new JobDemand.Waiting(Instant.EPOCH, List.of(), Optional.of(MINUTE)));
  }

  private static List<Veto> why(PlanFixtures.Of view) {
    return new WaitingPlan(view.build(), WaitingFacts.NONE).of("uid-ring");
  }

  @Test
  void busyMachinesComeBeforeAnotherZonesStock() {
    var view = busyZoneBesideEmptyOne().job(train()).job(job("ring", 2, 1).together(2));
    var until = Optional.of(NOW.plus(MINUTE));

    assertThat(why(view))
        .startsWith(
            new WorkerVeto.GangBusy(
                "cpu",
                ZONE,
                2,
                2,
                List.of(
                    new WorkerVeto.Busy("cpu-0", List.of("train"), until),
                    new WorkerVeto.Busy("cpu-1", List.of("train"), until)),
                0),
            new JobVeto.Gathering("cpu", ZONE, 2, 0, 0, 2))
        .anyMatch(ZoneVeto.Refused.class::isInstance);
  }

  @Test
  void busyMachinesComeFirstBehindAnotherGangToo() {
    var view = busyZoneBesideEmptyOne().job(train()).job(job("first", 2, 1).together(2));

    assertThat(why(view.job(job("ring", 2, 1).together(2))))
        .first()
        .isInstanceOfSatisfying(
            WorkerVeto.GangBusy.class,
            veto -> assertThat(veto.busy().getFirst().until()).as("not kept for it").isEmpty());
  }

  @Test
  void stockComesFirstWhereMachinesAreTooFew() {
    var view = busyZoneBesideEmptyOne().job(train()).job(job("ring", 2, 1).together(3));

    assertThat(why(view))
        .noneMatch(WorkerVeto.GangBusy.class::isInstance)
        .first()
        .isInstanceOf(ZoneVeto.Refused.class);
  }

  @Test
  void idleMachinesAreCountedAndNotNamed() {
    var view = busyZoneBesideEmptyOne().worker("cpu", idleFor(MINUTE)).job(train());

    assertThat(PlanFixtures.texts(why(view.job(job("ring", 2, 1).together(3)))))
        .first()
        .isEqualTo(
            "a task takes 3 whole machines of pool cpu at once; zone us-central2-b has 3, and 2 of"
                + " them are busy: cpu-0 with train until 2026-11-21T10:01:00Z at the latest; cpu-1"
                + " with train until 2026-11-21T10:01:00Z at the latest");
  }
}
