package dev.mayfly.sim.command;

import static dev.mayfly.core.model.job.Predecessor.On.SUCCESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.model.TaskRanges;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.query.StatusQueries;
import dev.mayfly.sim.fixture.JobChains;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Names of jobs are apart for each owner, and commands say whose job they mean. */
class OwnerNamesTest {
  private final JobChains chains = new JobChains();
  private final LabCluster labCluster = chains.labCluster;
  private final StatusQueries queries = labCluster.controlPlane.statusQueries();

  private void submit(String... addresses) {
    for (var address : addresses) chains.submit(LabCluster.count(address, 3));
  }

  private List<String> running() {
    return labCluster.jobs().stream().filter(Job::running).map(j -> j.spec().address()).toList();
  }

  private String refusal(UserCommand userCommand) {
    return String.join("\n", labCluster.refused(labCluster.publishLate(userCommand)));
  }

  @Test
  void twoOwnersHaveLiveJobsOfOneName() {
    submit("ann/train", "bob/train", "train");

    assertThat(running()).containsExactlyInAnyOrder("ann/train", "bob/train", "train");
  }

  @Test
  void ownNameWithOtherContentIsRefused() {
    submit("ann/train", "bob/train", "ann/train");
    assertThat(labCluster.jobs()).as("the same content is the same job").hasSize(2);

    var other = labCluster.submit(LabCluster.count("ann/train", 4));

    assertThat(labCluster.refused(other))
        .singleElement()
        .asString()
        .contains("a job named ann/train is live", "mayfly stop ann/train");
  }

  @Test
  void addressedCommandsReachThatOwnersJobOnly() {
    submit("ann/train", "bob/train");

    labCluster.publish(new UserCommand.StopTasks("lab", "bob/train", TaskRanges.parse("0")));
    chains.stop("ann/train");

    assertThat(running()).containsExactly("bob/train");
    assertThat(labCluster.end("ann/train")).startsWith("STOPPED: 0 done, 3 not finished");
    labCluster.publish(new UserCommand.RetryJob("lab", "ann/train"));
    chains.settle();
    assertThat(running()).containsExactlyInAnyOrder("ann/train", "bob/train");
    assertThat(queries.task("lab", "bob/train", 0).state().name()).isEqualTo("STOPPED");
    assertThat(queries.task("lab", "ann/train", 0).state().name()).isEqualTo("WAITING");
  }

  @Test
  void nameThatFitsSeveralIsRefusedWithThem() {
    submit("ann/train", "bob/train");

    for (var command :
        List.of(
            new UserCommand.StopJob("lab", "train"),
            new UserCommand.RetryJob("lab", "train"),
            new UserCommand.FollowLogs("lab", "train")))
      assertThat(refusal(command))
          .contains("several owners have a job train: ann/train, bob/train", "such as ann/train");
    assertThat(running()).hasSize(2);
    assertThatThrownBy(() -> queries.job("lab", "train"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("ann/train, bob/train");
  }

  @Test
  void nameThatFitsOneJobNeedsNoOwner() {
    submit("ann/train", "bob/train");
    chains.stop("ann/train");
    assertThat(queries.job("lab", "train").address()).as("the live one").isEqualTo("bob/train");

    chains.stop("train");

    assertThat(running()).isEmpty();
  }

  @Test
  void jobWithoutOwnerIsMeantByItsNameAlone() {
    submit("ann/train", "train");

    chains.stop("train");

    assertThat(running()).containsExactly("ann/train");
    assertThat(queries.job("lab", "train").owner()).isEmpty();
  }

  @Test
  void uidNamesItsJobInEveryCommand() {
    submit("ann/train", "bob/train");
    var bobs = labCluster.job("bob/train").uid();

    chains.stop(bobs);
    assertThat(running()).containsExactly("ann/train");
    labCluster.publish(new UserCommand.RetryJob("lab", bobs));
    chains.settle();

    assertThat(running()).containsExactlyInAnyOrder("ann/train", "bob/train");
    assertThat(queries.job("lab", bobs).address()).isEqualTo("bob/train");
  }

  @Test
  void uidOfEarlierJobDoesNotReachTheNewer() {
    submit("ann/train");
    var earlier = labCluster.job("ann/train").uid();
    chains.stop("ann/train");
    chains.submit(LabCluster.count("ann/train", 4));

    chains.stop(earlier);

    assertThat(running()).containsExactly("ann/train");
    assertThat(refusal(new UserCommand.RetryJob("lab", earlier))).contains("a newer one");
    assertThat(queries.job("lab", earlier).state()).isEqualTo("stopped");
  }

  /** A job may be called as another's uid, by chance or not. */
  @Test
  void uidComesBeforeAJobOfThatName() {
    submit("ann/train");
    var uid = labCluster.job("ann/train").uid();
    submit(uid, "eve/" + uid);

    assertThat(queries.job("lab", uid).address()).isEqualTo("ann/train");
    assertThat(queries.ownFirst("lab", "eve", uid)).isEqualTo(uid);
    chains.stop(uid);

    assertThat(running()).containsExactlyInAnyOrder(uid, "eve/" + uid);
    chains.stop(labCluster.job(uid).uid());
    assertThat(running()).as("it has a uid too").containsExactly("eve/" + uid);
  }

  @Test
  void unknownOwnerLearnsWhoHasTheName() {
    submit("bob/train");

    assertThat(refusal(new UserCommand.RetryJob("lab", "ann/train")))
        .contains("there is no job ann/train", "bob/train");
    assertThatThrownBy(() -> queries.job("lab", "ann/train"))
        .isInstanceOf(UnknownNameException.class)
        .hasMessageContaining("of that name there are: bob/train");
  }

  @Test
  void callersOwnJobComesFirst() {
    submit("ann/train", "bob/train", "bob/eval");

    assertThat(queries.ownFirst("lab", "bob", "train")).isEqualTo("bob/train");
    assertThat(queries.ownFirst("lab", "eve", "train")).isEqualTo("train");
    assertThat(queries.job("lab", queries.ownFirst("lab", "ann", "eval")).address())
        .as("only one job has the name")
        .isEqualTo("bob/eval");
  }

  @Test
  void earlyStopStopsThatOwnersJobOnly() {
    var anns = new UserCommand.SubmitJob(LabCluster.count("ann/train", 3), Optional.empty());
    var late = labCluster.message(anns);
    labCluster.stop("ann/train");
    submit("bob/train");

    labCluster.controlPlane.commandHandler().handle(late);
    chains.settle();

    assertThat(labCluster.end("ann/train")).isEqualTo("STOPPED: stopped before it arrived");
    assertThat(running()).containsExactly("bob/train");
  }

  @Test
  void earlyStopWithoutOwnerStopsWhatArrives() {
    var anns = new UserCommand.SubmitJob(LabCluster.count("ann/train", 3), Optional.empty());
    var late = labCluster.message(anns);
    labCluster.stop("train");

    labCluster.controlPlane.commandHandler().handle(late);
    chains.settle();

    assertThat(labCluster.end("ann/train")).isEqualTo("STOPPED: stopped before it arrived");
  }

  /** Submits a job of Ann's, whose message a stop without owner overtakes. */
  private void submitStopped() {
    var anns = new UserCommand.SubmitJob(LabCluster.count("ann/train", 3), Optional.empty());
    var late = labCluster.message(anns);
    labCluster.stop("train");
    labCluster.controlPlane.commandHandler().handle(late);
    chains.settle();
  }

  @Test
  void earlyStopIsNotLostAtEndedJob() {
    submit("bob/train");
    chains.stop("bob/train");

    submitStopped();

    assertThat(labCluster.end("ann/train")).isEqualTo("STOPPED: stopped before it arrived");
  }

  @Test
  void earlyStopIsNotLostAtEndedOwnerlessJob() {
    submit("train");
    chains.stop("train");

    submitStopped();

    assertThat(labCluster.end("ann/train")).isEqualTo("STOPPED: stopped before it arrived");
  }

  @Test
  void stopOfLiveJobIsForThatAlone() {
    submit("train");

    submitStopped();

    assertThat(labCluster.end("train")).startsWith("STOPPED");
    assertThat(running()).containsExactly("ann/train");
  }

  @Test
  void predecessorIsTheOwnersUnlessAnotherIsNamed() {
    submit("ann/first", "bob/first");
    var own = JobChains.after(LabCluster.count("ann/own", 1), JobChains.after("first", SUCCESS));
    var other =
        JobChains.after(LabCluster.count("ann/other", 1), JobChains.after("bob/first", SUCCESS));
    chains.submit(own);
    chains.submit(other);

    chains.stop("bob/first");

    assertThat(labCluster.end("ann/other")).contains("its predecessor bob/first was stopped");
    assertThat(chains.state("ann/own")).isEqualTo("Waiting");
    chains.stop("ann/first");
    assertThat(labCluster.end("ann/own")).contains("its predecessor first was stopped");
  }

  @Test
  void othersPredecessorOfTheNameIsOnlyNamed() {
    submit("bob/first");
    chains.submit(
        JobChains.after(LabCluster.count("ann/second", 1), JobChains.after("first", SUCCESS)));

    assertThat(queries.explain("lab", "ann/second").reasons())
        .singleElement()
        .extracting(reason -> reason.text())
        .asString()
        .contains("job first has not arrived yet", "bob/first");
  }

  @Test
  void eventsOfOneNameAreApart() {
    submit("ann/train", "bob/train");
    chains.stop("bob/train");

    assertThat(queries.events("lab", Optional.of("job/ann/train"), 50))
        .extracting(EventRecord::what)
        .doesNotContain("stopped");
    assertThat(queries.events("lab", Optional.of("job/" + labCluster.job("bob/train").uid()), 50))
        .extracting(EventRecord::what)
        .contains("stopped", "received");
    assertThat(queries.explain("lab", "ann/train").events())
        .extracting(EventRecord::about)
        .containsOnly("job/ann/train");
  }
}
