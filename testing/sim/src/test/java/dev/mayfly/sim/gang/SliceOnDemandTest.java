package dev.mayfly.sim.gang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OnDemandRules;
import dev.mayfly.core.model.job.RetryRules;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import dev.mayfly.sim.spec.JobBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A slice's task that no longer runs on spot slices, and an on-demand slice that waits for it. */
class SliceOnDemandTest {
  private static final String TYPE = "v4-32";
  private static final int HOSTS = 4;

  private final LabCluster labCluster = new LabCluster();

  private ScriptedAgent slice(String name, String pool) {
    var first = labCluster.machine(name, pool, "us-a", TYPE);
    for (var host = 1; host < HOSTS; host++) first.otherHost(host).sync();
    first.sync();
    labCluster.advance(1_000);
    return first;
  }

  private static JobSpec onDemandAfterOnePreemption() {
    var spec = LabCluster.count("j", 1);
    var retries =
        new RetryRules(3, 100, new OnDemandRules(1, Optional.empty(), Duration.ZERO), List.of());
    return JobBuilder.like(spec).retries(retries).pools(List.of("cpu")).build();
  }

  @Test
  void waitingOnDemandSliceGetsPreemptedTaskAtOnce() {
    labCluster.useSlices(TYPE);
    var spot = slice("pod", "cpu");
    labCluster.submit(onDemandAfterOnePreemption());
    labCluster.advance(1_000);
    assertThat(spot.last().gang()).isNotEmpty();
    var onDemand = slice("sure", "cpu-fallback");
    assertThat(onDemand.answers).isEmpty();

    labCluster.change(
        "pod",
        true,
        w -> w.with(new WorkerState.Lost(labCluster.now(), FailureCause.PREEMPTED, "preempted")));
    labCluster.controlPlane.handle(Trigger.Reconcile.worker(labCluster.uid, "pod"));
    labCluster.advance(2_000);

    assertThat(onDemand.last().gang()).isNotEmpty();
  }
}
