package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.sim.fixture.JobChains;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which jobs the names of predecessors mean, whatever arrives first. */
class PredecessorNamesTest {
  private static final Predecessor.On SUCCESS = Predecessor.On.SUCCESS;
  private static final Predecessor.On END = Predecessor.On.END;

  private final JobChains chains = new JobChains();
  private final LabCluster labCluster = chains.labCluster;

  @Test
  void predecessorMayArriveAfterItsSuccessor() {
    chains.submit(JobChains.successor("second", JobChains.submitted("first", "s1")));
    chains.tick();
    assertThat(chains.state("second")).isEqualTo("Waiting");

    chains.submit(LabCluster.count("first", 1), "s1");
    chains.succeed("first");

    assertThat(chains.state("second")).isEqualTo("Running");
  }

  @Test
  void repeatedPredecessorIsTheExistingJob() {
    chains.submit(LabCluster.count("first", 1), "monday");
    chains.submit(LabCluster.count("first", 1), "tuesday");
    chains.submit(JobChains.successor("second", JobChains.submitted("first", "tuesday")));

    chains.succeed("first");

    assertThat(labCluster.jobs()).hasSize(2);
    assertThat(chains.state("second")).isEqualTo("Running");
  }

  @Test
  void missingPredecessorEndsItsSuccessor() {
    chains.submit(JobChains.successor("second", JobChains.after("first", SUCCESS)));
    for (var minute = 0; minute < 14; minute++) chains.tick();
    assertThat(chains.state("second")).isEqualTo("Waiting");

    chains.tick();
    chains.tick();

    assertThat(labCluster.end("second"))
        .startsWith("FAILED: did not start: its predecessor first did not arrive");
  }

  @Test
  void onlyJobOfTheNameMayComeAfter() {
    chains.submit(JobChains.successor("second", JobChains.after("first", SUCCESS)));
    chains.submit(LabCluster.count("first", 1));
    assertThat(labCluster.controlPlane.statusQueries().explain("lab", "second").reasons())
        .extracting(JobExplanation.Reason::text)
        .containsExactly(
            "job first was submitted after this one, and is taken within two minutes unless an earlier one arrives");
    chains.succeed("first");
    assertThat(chains.state("second")).isEqualTo("Waiting");

    chains.tick();
    chains.tick();

    assertThat(chains.state("second")).isEqualTo("Running");
  }

  @Test
  void earlierJobThatArrivesLateIsMeant() {
    var late =
        labCluster.message(
            new UserCommand.SubmitJob(LabCluster.count("first", 2), Optional.empty()));
    chains.submit(JobChains.successor("second", JobChains.after("first", SUCCESS)));
    chains.submit(LabCluster.count("first", 1));
    var younger = labCluster.job("first").uid();
    chains.succeed("first");

    labCluster.controlPlane.commandHandler().handle(late);
    for (var minute = 0; minute < 3; minute++) chains.tick();

    assertThat(labCluster.job("second").spec().admission().after())
        .singleElement()
        .satisfies(p -> assertThat(p.uid()).isPresent().isNotEqualTo(Optional.of(younger)));
  }

  @Test
  void newerJobOfTheNameIsNotMeant() {
    chains.submit(LabCluster.count("first", 1));
    chains.succeed("first");
    var older = labCluster.job("first").uid();
    var late =
        labCluster.message(
            new UserCommand.SubmitJob(
                JobChains.successor("second", JobChains.after("first", SUCCESS)),
                Optional.empty()));
    chains.submit(LabCluster.count("first", 2));

    labCluster.controlPlane.commandHandler().handle(late);
    chains.settle();

    assertThat(labCluster.job("second").spec().admission().after())
        .singleElement()
        .satisfies(p -> assertThat(p.uid()).contains(older));
    assertThat(chains.state("second")).isEqualTo("Running");
  }

  @Test
  void jobsOfOneMessageMeanEachOther() {
    chains.submit(LabCluster.count("first", 1));
    chains.succeed("first");
    var older = labCluster.job("first").uid();

    labCluster.publish(
        new UserCommand.SubmitJob(
            JobChains.successor("second", JobChains.after("first", SUCCESS)), Optional.empty()),
        new UserCommand.SubmitJob(LabCluster.count("first", 2), Optional.empty()));
    chains.settle();

    assertThat(labCluster.job("first").uid()).isNotEqualTo(older);
    assertThat(chains.state("second")).isEqualTo("Waiting");
  }

  @Test
  void cycleOfWaitingJobsEnds() {
    chains.submit(JobChains.successor("a", JobChains.submitted("c", "sc")), "sa");
    chains.submit(JobChains.successor("b", JobChains.submitted("a", "sa")), "sb");
    chains.submit(JobChains.successor("c", JobChains.submitted("b", "sb")), "sc");
    chains.submit(JobChains.successor("d", JobChains.after("c", END)));

    chains.tick();
    chains.tick();

    for (var job : List.of("a", "b", "c"))
      assertThat(labCluster.end(job))
          .startsWith("FAILED: did not start: these jobs wait for one another")
          .contains("a", "b", "c");
    assertThat(chains.state("d")).isEqualTo("Running");
  }

  @Test
  void sameFileAgainIsARepeat() {
    chains.submit(LabCluster.count("first", 1), "a1");
    chains.submit(JobChains.successor("second", JobChains.submitted("first", "a1")), "b1");

    chains.submit(LabCluster.count("first", 1), "a2");
    var again =
        labCluster.publish(
            new UserCommand.SubmitJob(
                JobChains.successor("second", JobChains.submitted("first", "a2")),
                Optional.of("b2")));

    assertThat(labCluster.refused(again)).isEmpty();
    assertThat(labCluster.jobs()).extracting(Job::spec).hasSize(2);
  }
}
