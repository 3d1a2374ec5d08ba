package dev.mayfly.core.plan;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.idleFor;
import static dev.mayfly.core.plan.PlanFixtures.job;
import static dev.mayfly.core.plan.PlanFixtures.launch;
import static dev.mayfly.core.plan.PlanFixtures.launching;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.model.PlanDecision.Drain;
import dev.mayfly.core.plan.model.PlanDecision.Launch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Unneeded machines, and machines above the maximum. */
class UnneededWorkersTest {
  private static final DrainReason LOWERED =
      new DrainReason(DrainCause.MAXIMUM_LOWERED, "the maximum was lowered: workers.max is 2 now");

  private static final WorkerState SPARE = idleFor(Duration.ofDays(1));
  private static final Duration HOUR = Duration.ofHours(1);

  private static Worker.Held held(String job, int number) {
    return SpecFixtures.held("uid-" + job, number, Resources.cpu(1, GIB), List.of((long) number));
  }

  private static List<String> drained(List<PlanDecision> plan) {
    return plan.stream().filter(Drain.class::isInstance).map(d -> ((Drain) d).worker()).toList();
  }

  /** Each was launched for one of them; the first job would fit on both. */
  @Test
  void newMachinesServeWhatTheyWereLaunchedFor() {
    var gpus = SpecFixtures.demand("uid-b", "b", new Resources(4_000, GIB, 1_000, 0), 1, 0);
    var plan =
        view(pool("a-gpu").cpus(4).gpus(1).build(), pool("cpu").cpus(4).build())
            .worker("a-gpu", launching())
            .worker("cpu", launching())
            .job(job("a", 4, 1))
            .job(gpus)
            .plan();

    assertThat(plan).isEmpty();
  }

  @Test
  void unneededMachinesInFlightAreDrained() {
    var booting = new WorkerState.Booting(NOW, NOW.plusSeconds(600), "op");
    var plan =
        view(pool("cpu").build())
            .worker("cpu", booting)
            .worker("cpu", launching())
            .worker("cpu", booting)
            .job(job("a", 2, 1))
            .plan();

    assertThat(plan)
        .as("what was not ordered yet, then the youngest")
        .containsExactly(
            new Drain("cpu-1", new DrainReason(DrainCause.UNNEEDED, "no job needs it any more")),
            new Drain("cpu-0", new DrainReason(DrainCause.UNNEEDED, "no job needs it any more")));
  }

  @Test
  void minimumIsOfMachinesThatAreReady() {
    var plan =
        view(pool("cpu").min(1).build()).worker("cpu", SPARE).worker("cpu", launching()).plan();

    assertThat(drained(plan)).containsExactly("cpu-1");
  }

  @Test
  void minimumOnItsWayIsKept() {
    var plan =
        view(pool("cpu").min(2).build())
            .worker("cpu", launching())
            .worker("cpu", launching())
            .plan();

    assertThat(plan).isEmpty();
  }

  @Test
  void reservedMachinesMayBeIdle() {
    var reserved = pool("cpu").provisioning(Provisioning.RESERVED).build();
    var plan = view(reserved).worker("cpu", SPARE).worker("cpu", launching()).plan();

    assertThat(plan).isEmpty();
  }

  @Test
  void loweredMaximumDrainsTheSurplus() {
    var until = Optional.of(NOW.plus(HOUR));
    var view = view(pool("cpu").max(2).build());
    view.worker("cpu", busy(), held("a", 0), held("a", 1));
    view.worker("cpu", busy(), held("a", 2));
    view.worker("cpu", idleFor(Duration.ZERO));
    view.worker("cpu", busy(), held("a", 3), held("a", 4));
    view.worker("cpu", launching());
    view.job(SpecFixtures.demand("uid-a", "a", Resources.cpu(1, GIB), 1_000, 5));

    assertThat(view.plan())
        .filteredOn(Drain.class::isInstance)
        .containsExactly(
            new Drain("cpu-4", LOWERED, until),
            new Drain("cpu-2", LOWERED, until),
            new Drain("cpu-1", LOWERED, until));
    assertThat(view.plan()).noneMatch(Launch.class::isInstance);
  }

  @Test
  void maximumOfZeroEndsAll() {
    var plan =
        view(pool("cpu").max(0).build(), pool("other").build())
            .worker("cpu", busy(), held("a", 0))
            .job(SpecFixtures.demand("uid-a", "a", Resources.cpu(1, GIB), 3, 1))
            .plan();

    assertThat(drained(plan)).containsExactly("cpu-0");
  }

  @Test
  void leasedExclusiveTasksNeedNoOtherMachine() {
    var mine =
        SpecFixtures.demand(
            "uid-a", "a", Resources.cpu(1, GIB), 0, 8, new JobDemand.Standing("", 50, true, 0));
    var plan = view(pool("cpu").cpus(1).max(8).build()).worker("cpu", busy(), held("a", 0));

    assertThat(plan.job(mine).plan()).isEmpty();
  }

  @Test
  void reclaimingZoneGoesLastThenPauses() {
    var spec = pool("cpu").zones("us-a", "us-b").build();
    var short1 = SpecFixtures.stockout("us-a", "short.n2-standard-2", Duration.ofMinutes(1));
    var minute = Duration.ofMinutes(1);
    var short3 = SpecFixtures.stockout("us-a", "short.n2-standard-2", minute, minute, minute);
    var alone = pool("cpu").zones("us-a").build();

    assertThat(view(spec).job(job("a", 2, 1)).stockout(short1).plan())
        .containsExactly(launch("cpu", "us-b", 1, "1 task of job a has no room"));
    assertThat(view(alone).job(job("a", 2, 1)).stockout(short1).plan())
        .containsExactly(launch("cpu", "us-a", 1, "1 task of job a has no room"));
    assertThat(view(alone).job(job("a", 2, 1)).stockout(short3).plan()).isEmpty();
    assertThat(view(alone).job(job("a", 2, 1)).stockout(short3).reasons("a"))
        .containsExactly(
            "zone us-a took n2-standard-2 back soon after its start, 3 times in the last half hour, the last time 60s ago; the next try is in 7m47s");
    assertThat(view(alone).job(job("a", 2, 1)).stockout(lost(short3)).reasons("a"))
        .as("a failed host is no preemption")
        .containsExactly(
            "zone us-a lost n2-standard-2 soon after its start, 3 times in the last half hour, the last time 60s ago, by a failure of its host or without a word; the next try is in 7m47s");
    var short2 = SpecFixtures.stockout("us-a", "short.n2-standard-2", minute, minute);
    assertThat(view(alone).job(job("a", 2, 1)).stockout(short2).stockout(lost(short1)).reasons("a"))
        .as("each kind is told apart, and both pause the zone")
        .containsExactly(
            "zone us-a ended n2-standard-2 soon after its start, 3 times in the last half hour, the last time 60s ago: it took 2 back, and lost 1 by a failure of its host or without a word; the next try is in 7m47s");
    var later = Duration.ofMinutes(20);
    var old = SpecFixtures.stockout("us-a", "short.n2-standard-2", later, later, later);
    assertThat(view(alone).job(job("a", 2, 1)).stockout(old).plan())
        .hasOnlyElementsOfType(Launch.class);
  }

  private static Stockout lost(Stockout memory) {
    var key = memory.machineType().replace("short.", "short.lost.");
    return new Stockout(memory.zone(), key, FailureCause.LOST.name(), memory.seen(), memory.said());
  }
}
