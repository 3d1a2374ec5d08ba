package dev.mayfly.sim.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.sim.fixture.JobChains;
import dev.mayfly.sim.fixture.LabCluster;
import org.junit.jupiter.api.Test;

/** A trigger to expand a job that is repeated ends at once, and causes no other. */
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
}
