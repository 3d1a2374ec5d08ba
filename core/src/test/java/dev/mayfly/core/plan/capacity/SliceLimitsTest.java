package dev.mayfly.core.plan.capacity;

import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.ZONE;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.idleFor;
import static dev.mayfly.core.plan.PlanFixtures.launch;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.TpuCreateQuota;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.PlanDecision.Drain;
import dev.mayfly.core.plan.model.PlanDecision.Launch;
import dev.mayfly.core.plan.veto.PoolVeto;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SliceLimitsTest {
  private static final Instant LONG_AGO = NOW.minus(Duration.ofDays(900));

  @Test
  void manualSliceIsKeptHoweverIdle() {
    var slice = slice("v4-128", 1);

    var plan = view(slice).worker(slice, ZONE, idleFor(Duration.ofDays(99)), LONG_AGO).plan();

    assertThat(plan).isEmpty();
  }

  @Test
  void aReshapedSliceIsDrainedAlthoughItWorks() {
    var view = view(slice("v4-64", 2)).worker(slice("v4-128", 1), ZONE, busy(), LONG_AGO);

    assertThat(view.plan())
        .containsExactly(
            new Drain(
                "big-0",
                new DrainReason(
                    DrainCause.SLICE_CHANGED, "slice reshaped: it has v4-64 now, not v4-128")));
    assertThat(view.poolWhys("big"))
        .containsExactly("slice big has 64 chips, and 64 of them are not back yet");
  }

  @Test
  void reshapedSliceWaitsForFreedChips() {
    var after = slice("v4-64", 2);
    var drained = new WorkerState.Drained(NOW, "reshaped");
    var lost = new WorkerState.Lost(NOW, FailureCause.LOST, "silent");

    assertThat(view(after).plan()).containsExactly(launch("big", ZONE, 2, "workers.min is 2"));
    assertThat(view(after).worker(slice("v4-128", 1), ZONE, drained, LONG_AGO).plan())
        .noneMatch(Launch.class::isInstance);
    // One of two is lost: the other stays, and a new one follows when the lost one is proved gone.
    assertThat(view(after).worker("big", busy()).worker("big", lost).plan())
        .noneMatch(Launch.class::isInstance)
        .noneMatch(Drain.class::isInstance);
    assertThat(view(after).worker("big", busy()).plan())
        .containsExactly(launch("big", ZONE, 1, "workers.min is 2"));
  }

  @Test
  void deletedSliceIsDrainedWithoutReplacement() {
    var plan =
        view(slice("v4-64", 0))
            .worker(slice("v4-64", 2), ZONE, busy(), LONG_AGO)
            .worker(slice("v4-64", 2), ZONE, idleFor(Duration.ofMinutes(1)), LONG_AGO)
            .plan();

    assertThat(plan)
        .containsExactlyInAnyOrder(
            new Drain("big-0", new DrainReason(DrainCause.SLICE_CHANGED, "slice deleted")),
            new Drain("big-1", new DrainReason(DrainCause.SLICE_CHANGED, "slice deleted")));
  }

  @Test
  void planRespectsTpuCreationQuota() {
    var pool = pool("v4-8", 100, Provisioning.SPOT, false);
    var all = view(pool).build();

    var plan =
        Planner.planWithReasons(
            new ClusterSnapshot(NOW, all.cluster(), List.of(), List.of(), List.of(), 7));

    assertThat(plan.decisions()).containsExactly(launch("big", ZONE, 7, "workers.min is 100"));
    assertThat(plan.ofPool("big")).containsExactly(new PoolVeto.CreationRate("big", 7));
    assertThat(Planner.plan(all)).contains(launch("big", ZONE, 60, "workers.min is 100"));
  }

  @Test
  void requestsCountForOneMinute() {
    var some = TpuCreateQuota.NONE.with(50, NOW).with(4, NOW.plusSeconds(30));

    assertThat(TpuCreateQuota.NONE.remaining(NOW)).isEqualTo(60);
    assertThat(some.remaining(NOW.plusSeconds(31))).isEqualTo(6);
    assertThat(some.remaining(NOW.plusSeconds(60))).isEqualTo(56);
    assertThat(some.with(1, NOW.plusSeconds(61)).asked()).hasSize(2);
    assertThat(TpuCreateQuota.NONE.with(90, NOW).remaining(NOW)).isZero();
  }

  private static PoolSpec slice(String type, int count) {
    return pool(type, count, Provisioning.RESERVED, true);
  }

  private static PoolSpec pool(String type, int count, Provisioning how, boolean manual) {
    return new PoolSpec(
        "big",
        type,
        TpuTypes.of(type).orElseThrow().host(),
        List.of(ZONE),
        how,
        count,
        count,
        Duration.ofMinutes(10),
        Duration.ofDays(1),
        MachineSpec.tpu(type, "tpu-ubuntu2204-base"),
        manual);
  }
}
