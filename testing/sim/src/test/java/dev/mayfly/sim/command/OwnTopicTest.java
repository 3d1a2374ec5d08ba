package dev.mayfly.sim.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.TaskRanges;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.message.MessageTopic;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.message.UserTopic;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.sim.fixture.JobChains;
import dev.mayfly.sim.fixture.LabCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** By a person's own topic only that person's jobs change, and who asked is certain. */
class OwnTopicTest {
  private static final MessageTopic ANN = MessageTopic.of(UserTopic.JOBS, "ann");
  private static final Optional<String> NONE = Optional.empty();

  private final JobChains chains = new JobChains();
  private final LabCluster labCluster = chains.labCluster;
  private int number;

  private UserMessage publish(MessageTopic topic, UserCommand... commands) {
    labCluster.time.advance(Duration.ofMillis(1));
    var data = labCluster.codec.message(List.of(commands));
    var userMessage = new UserMessage("p" + ++number, labCluster.now(), topic, NONE, data);
    labCluster.time.advance(Duration.ofSeconds(11));
    labCluster.controlPlane.commandHandler().handle(userMessage);
    return userMessage;
  }

  private String refusal(MessageTopic topic, UserCommand... commands) {
    return String.join("\n", labCluster.refused(publish(topic, commands)));
  }

  private static UserCommand submission(JobSpec spec) {
    return new UserCommand.SubmitJob(spec, NONE);
  }

  private List<String> running() {
    return labCluster.jobs().stream().filter(Job::running).map(j -> j.spec().address()).toList();
  }

  private List<String> reasons(String about, String what) {
    return labCluster
        .store
        .query(new LedgerQuery.Events(labCluster.uid, Optional.of(about), 100))
        .requireComplete()
        .stream()
        .map(it -> it.value())
        .filter(eventRecord -> eventRecord.what().equals(what))
        .map(EventRecord::why)
        .toList();
  }

  private static List<UserCommand> changes(String job) {
    var task = new UserCommand.NewTask(NONE, Map.of("lr", "1"));
    return List.of(
        new UserCommand.StopJob("lab", job),
        new UserCommand.RetryJob("lab", job),
        new UserCommand.StopTasks("lab", job, TaskRanges.parse("0")),
        new UserCommand.RetryTasks("lab", job, TaskRanges.parse("0")),
        new UserCommand.AddTasks("lab", job, NONE, List.of(task)),
        new UserCommand.CloseJob("lab", job, Optional.empty()),
        new UserCommand.ChangeSchedule("lab", job, UserCommand.ChangeSchedule.Action.RUN));
  }

  @Test
  void jobWithoutOwnerIsThePersons() {
    publish(ANN, submission(LabCluster.count("train", 3)));

    assertThat(running()).containsExactly("ann/train");
  }

  @Test
  void jobOfAnotherOwnerIsRefused() {
    assertThat(refusal(ANN, submission(LabCluster.count("bob/train", 3))))
        .isEqualTo(
            "job bob/train: owner: is bob, and topic mayfly-jobs-ann takes jobs of ann only; leave owner out, or write ann");
    assertThat(labCluster.jobs()).isEmpty();
  }

  @Test
  void everyChangeOfAnotherOwnersJobIsRefused() {
    chains.submit(LabCluster.count("bob/train", 3));
    var before = labCluster.job("bob/train");

    for (var command : changes("bob/train"))
      assertThat(refusal(ANN, command))
          .as("%s", command)
          .contains(
              "bob/train belongs to bob, and topic mayfly-jobs-ann changes what belongs to ann only; ask bob, or somebody who may publish to mayfly-jobs");
    assertThat(labCluster.job("bob/train")).isEqualTo(before);
  }

  @Test
  void uidOfAnotherOwnersJobIsRefused() {
    chains.submit(LabCluster.count("bob/train", 3));
    chains.submit(LabCluster.count("nobody", 3));

    var bobs = labCluster.job("bob/train").uid();
    assertThat(refusal(ANN, new UserCommand.StopJob("lab", bobs)))
        .contains("bob/train belongs to bob");
    assertThat(refusal(ANN, new UserCommand.StopJob("lab", labCluster.job("nobody").uid())))
        .contains("nobody belongs to no person", "ask its submitter");
    assertThat(running()).containsExactlyInAnyOrder("bob/train", "nobody");
  }

  @Test
  void nameAloneIsThePersonsOwn() {
    chains.submit(LabCluster.count("bob/train", 3));
    chains.submit(LabCluster.count("train", 3));

    publish(ANN, new UserCommand.StopJob("lab", "train"));
    assertThat(refusal(ANN, new UserCommand.RetryJob("lab", "train")))
        .contains("there is no job ann/train; of that name there are: train, bob/train");
    assertThat(running()).containsExactlyInAnyOrder("bob/train", "train");
  }

  @Test
  void ownJobChangesByNameAndUid() {
    publish(ANN, submission(LabCluster.count("one", 3)), submission(LabCluster.count("two", 3)));

    publish(ANN, new UserCommand.StopJob("lab", "one"));
    publish(ANN, new UserCommand.StopJob("lab", labCluster.job("ann/two").uid()));
    chains.settle();

    assertThat(running()).isEmpty();
    assertThat(labCluster.end("ann/one")).startsWith("STOPPED");
    assertThat(labCluster.end("ann/two")).startsWith("STOPPED");
  }

  @Test
  void readingIsNotLimited() {
    chains.submit(LabCluster.count("bob/train", 3));

    assertThat(refusal(ANN, new UserCommand.FollowLogs("lab", "bob/train"))).isEmpty();
  }

  @Test
  void jobsOfOneMessageWaitForEachOther() {
    var first = LabCluster.count("first", 1);
    var second =
        JobChains.after(
            LabCluster.count("second", 1), JobChains.after("first", Predecessor.On.SUCCESS));

    publish(ANN, submission(first), submission(second));

    assertThat(chains.state("ann/second")).isEqualTo("Waiting");
    assertThat(labCluster.job("ann/second").spec().admission().after())
        .extracting(Predecessor::uid)
        .containsExactly(Optional.of(labCluster.job("ann/first").uid()));
  }

  @Test
  void whoAskedIsCertain() {
    publish(ANN, submission(LabCluster.count("train", 3)));
    publish(ANN, new UserCommand.StopJob("lab", "train"));
    refusal(ANN, new UserCommand.StopJob("lab", "bob/train"));

    assertThat(reasons("job/ann/train", "received"))
        .anyMatch(why ->
            why.startsWith("stop: message ")
                && why.endsWith(" on mayfly-jobs-ann, published by ann (verified)"));
    assertThat(reasons("job/ann/train", "stopping")).containsExactly("stopped by ann (verified)");
    assertThat(reasons("job/bob/train", "refused"))
        .singleElement()
        .asString()
        .contains("published by ann (verified)");
  }

  @Test
  void ownTopicOfJobsCarriesNoCommandOfClusters() {
    assertThat(refusal(ANN, new UserCommand.DownCluster("lab")))
        .contains("topic mayfly-jobs-ann does not carry", "publish it to mayfly-clusters-ann");
    publish(ANN.carrying(UserTopic.CLUSTERS), new UserCommand.DownCluster("lab"));

    assertThat(reasons("cluster/lab", "received"))
        .anyMatch(why -> why.endsWith("on mayfly-clusters-ann, published by ann (verified)"));
  }

  @Test
  void topicOfAllActsForEveryOwner() {
    publish(ANN, submission(LabCluster.count("train", 3)));

    labCluster.publish(new UserCommand.StopJob("lab", "ann/train"));
    chains.settle();

    assertThat(running()).isEmpty();
  }

  @Test
  void topicsIdSaysWhoseItIs() {
    assertThat(MessageTopic.ofId("mayfly-jobs")).contains(MessageTopic.ofAll(UserTopic.JOBS));
    assertThat(MessageTopic.ofId("mayfly-jobs-ann")).contains(ANN);
    assertThat(MessageTopic.ofId("mayfly-clusters-ann")).contains(ANN.carrying(UserTopic.CLUSTERS));
    for (var other :
        List.of("mayfly-jobs-", "mayfly-jobs-Ann", "mayfly-jobs-ann/x", "mayfly-ticks", "jobs", ""))
      assertThat(MessageTopic.ofId(other)).as(other).isEmpty();
    for (var topic : List.of(ANN, MessageTopic.ofAll(UserTopic.CLUSTERS)))
      assertThat(MessageTopic.ofId(topic.id())).contains(topic);
  }
}
