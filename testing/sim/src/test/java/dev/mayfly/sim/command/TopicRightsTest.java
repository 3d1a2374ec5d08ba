package dev.mayfly.sim.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.TaskRanges;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserTopic;
import dev.mayfly.sim.fixture.LabCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The right to publish to a topic is the right to that topic's commands only. */
class TopicRightsTest {
  private static final Set<Class<? extends UserCommand>> OF_JOBS =
      Set.of(
          UserCommand.SubmitJob.class,
          UserCommand.StopJob.class,
          UserCommand.RetryJob.class,
          UserCommand.AddTasks.class,
          UserCommand.CloseJob.class,
          UserCommand.StopTasks.class,
          UserCommand.RetryTasks.class,
          UserCommand.ChangeSchedule.class,
          UserCommand.FollowLogs.class);

  private final LabCluster labCluster = new LabCluster();

  private List<UserCommand> all() {
    var cluster =
        labCluster
            .store
            .read(new DocumentKey.OfCluster(labCluster.uid))
            .orElseThrow()
            .value()
            .spec();
    var none = Optional.<String>empty();
    return List.of(
        new UserCommand.SubmitJob(LabCluster.count("a", 1), none),
        new UserCommand.StopJob("lab", "a"),
        new UserCommand.RetryJob("lab", "a"),
        new UserCommand.ChangeSchedule("lab", "nightly", UserCommand.ChangeSchedule.Action.PAUSE),
        new UserCommand.StopTasks("lab", "a", TaskRanges.parse("0")),
        new UserCommand.RetryTasks("lab", "a", TaskRanges.parse("0")),
        new UserCommand.AddTasks("lab", "a", none, List.of()),
        new UserCommand.CloseJob("lab", "a", Optional.empty()),
        new UserCommand.FollowLogs("lab", "a"),
        new UserCommand.ApplyCluster(cluster, Optional.empty(), false),
        new UserCommand.DownCluster("lab"),
        new UserCommand.DrainWorker("lab", "w"),
        new UserCommand.Cordon("lab", "w", Duration.ofHours(1)),
        new UserCommand.Uncordon("lab", "w"),
        new UserCommand.JoinWorker("lab", "own", "w", "m", "hash", Map.of()),
        new UserCommand.CreateSlice(
            "lab", "s", "v4-8", 1, Provisioning.RESERVED, none, none, none, none),
        new UserCommand.DeleteSlice("lab", "s"),
        new UserCommand.ReshapeSlice("lab", "s", "v4-8", 1));
  }

  @Test
  void eachKindHasOneTopic() {
    assertThat(all().stream().map(Object::getClass).collect(Collectors.toSet()))
        .isEqualTo(Set.of(UserCommand.class.getPermittedSubclasses()));
    for (var userCommand : all())
      assertThat(UserTopic.of(userCommand) == UserTopic.JOBS)
          .as("%s", userCommand)
          .isEqualTo(OF_JOBS.contains(userCommand.getClass()));
  }

  @Test
  void otherTopicsKindsAreRejectedWithTheTopic() {
    var before =
        labCluster.store.read(new DocumentKey.OfCluster(labCluster.uid)).orElseThrow().version();
    for (var userCommand : all())
      for (var userTopic : UserTopic.values()) {
        var userMessage = labCluster.message(userTopic, userCommand);
        if (userTopic == UserTopic.of(userCommand)) continue;
        labCluster.controlPlane.commandHandler().handle(userMessage);
        assertThat(labCluster.refused(userMessage))
            .as("%s on %s", userCommand, userTopic)
            .singleElement()
            .asString()
            .contains("topic " + userTopic.id() + " does not carry this kind of message")
            .endsWith("publish it to " + UserTopic.of(userCommand).id());
      }
    assertThat(labCluster.jobs()).isEmpty();
    assertThat(
            labCluster
                .store
                .read(new DocumentKey.OfCluster(labCluster.uid))
                .orElseThrow()
                .version())
        .isEqualTo(before);
  }

  @Test
  void ownKindIsAccepted() {
    for (var userCommand : all()) {
      var userMessage = labCluster.publishLate(userCommand);
      assertThat(labCluster.refused(userMessage))
          .noneMatch(error -> error.contains("does not carry"));
    }
  }

  @Test
  void mixedMessageExecutesOnlyOwnKinds() {
    var userMessage =
        labCluster.message(
            UserTopic.JOBS,
            new UserCommand.SubmitJob(LabCluster.count("a", 1), Optional.empty()),
            new UserCommand.DownCluster("lab"));

    labCluster.controlPlane.commandHandler().handle(userMessage);

    assertThat(labCluster.jobs()).hasSize(1);
    assertThat(labCluster.refused(userMessage))
        .containsExactly(
            "down of cluster lab: topic mayfly-jobs does not carry this kind of message;"
                + " publish it to mayfly-clusters");
  }
}
