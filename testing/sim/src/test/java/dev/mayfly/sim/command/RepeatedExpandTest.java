package dev.mayfly.sim.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.ControlPlane;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.sim.fixture.JobChains;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A repeated trigger about a job ends at once, and a tick repeats none that is young. */
class RepeatedExpandTest {
  private final JobChains chains = new JobChains();
  private final LabCluster labCluster = chains.labCluster;

  private void repeatedExpandChangesNothing(String name) {
    var job = labCluster.job(name);
    var before = labCluster.store.read(job.key()).orElseThrow();

    for (var i = 0; i < 5; i++) {
      labCluster.advance(1_000);
      labCluster.controlPlane.handle(new Trigger.Expand(labCluster.uid, job.uid()));
    }

    assertThat(labCluster.triggers).isEmpty();
    assertThat(labCluster.store.read(job.key())).contains(before);
  }

  @Test
  void waitingJobStaysAsItIs() {
    chains.submit(LabCluster.count("first", 1));
    chains.submit(JobChains.successor("second", JobChains.after("first", Predecessor.On.SUCCESS)));
    assertThat(chains.state("second")).isEqualTo("Waiting");

    repeatedExpandChangesNothing("second");
  }

  @Test
  void tickRepeatsNoTriggerOfWaitingJob() {
    chains.submit(LabCluster.count("first", 1));
    chains.submit(JobChains.successor("second", JobChains.after("first", Predecessor.On.SUCCESS)));

    labCluster.controlPlane.handle(new Trigger.Tick());

    assertThat(labCluster.triggers).noneMatch(Trigger.Expand.class::isInstance);
  }

  @Test
  void runningAndEndedJobsStayAsTheyAre() {
    chains.submit(LabCluster.count("first", 1));
    repeatedExpandChangesNothing("first");

    chains.stop("first");

    repeatedExpandChangesNothing("first");
  }

  /** How often ticks send such a trigger in a time in which none is handled. */
  private long sent(Class<? extends Trigger> kind, Supplier<ControlPlane> ticks, int seconds) {
    labCluster.triggers.clear();
    for (var i = 0; i < seconds / 10; i++) {
      labCluster.advance(10_000);
      ticks.get().handle(new Trigger.Tick());
    }
    return labCluster.triggers.stream().filter(kind::isInstance).count();
  }

  /** Each tick is handled by a process that knows of no other. */
  private ControlPlane fresh() {
    return labCluster.control("fresh");
  }

  @Test
  void unhandledExpandIsRepeatedWhenOld() {
    var wide = LabCluster.count("wide", 30_000);
    labCluster.submit(wide);
    assertThat(labCluster.triggers).filteredOn(Trigger.Expand.class::isInstance).hasSize(1);

    assertThat(sent(Trigger.Expand.class, this::fresh, 110)).isZero();
    assertThat(sent(Trigger.Expand.class, this::fresh, 20)).isEqualTo(1);
    assertThat(sent(Trigger.Expand.class, this::fresh, 600)).isEqualTo(5);
  }

  @Test
  void unhandledFinalizeIsRepeatedWhenOld() {
    chains.submit(LabCluster.count("first", 1));
    labCluster.stop("first");

    assertThat(sent(Trigger.Finalize.class, this::fresh, 110)).isZero();
    assertThat(sent(Trigger.Finalize.class, this::fresh, 20)).isEqualTo(1);
    assertThat(sent(Trigger.Finalize.class, this::fresh, 600)).isEqualTo(5);
  }

  @Test
  void unhandledStartOfManyIsRepeatedWhenOld() {
    chains.submit(LabCluster.count("first", 1));
    for (var i = 0; i < 20; i++)
      chains.submit(JobChains.successor("s" + i, JobChains.after("first", Predecessor.On.END)));
    labCluster.stop("first");
    labCluster.deliver();

    assertThat(sent(Trigger.StartWaiting.class, () -> labCluster.controlPlane, 110)).isEqualTo(1);
    assertThat(sent(Trigger.StartWaiting.class, () -> labCluster.controlPlane, 600)).isEqualTo(5);
  }

  /** Only the one that was changed meanwhile is left to the next tick. */
  @Test
  void conflictOfOneRepeatDoesNotStopOthers() {
    for (var name : List.of("a", "b", "c")) labCluster.submit(LabCluster.count(name, 30_000));
    labCluster.triggers.clear();
    labCluster.advance(130_000);
    labCluster.ledger.before(writes -> writes.size() == 3, () -> labCluster.stop("b"));

    fresh().handle(new Trigger.Tick());

    assertThat(labCluster.triggers).filteredOn(Trigger.Expand.class::isInstance).hasSize(2);
  }
}
