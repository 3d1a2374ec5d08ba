package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Topic;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The right to publish to a topic is the right to its commands alone. */
class TopicTest {
  private static final Set<Class<? extends Command>> OF_JOBS =
      Set.of(
          Command.SubmitJob.class,
          Command.StopJob.class,
          Command.RetryJob.class,
          Command.FollowLogs.class);

  private final Lab lab = new Lab();

  private List<Command> all() {
    var cluster = lab.store.read(new Key.OfCluster(lab.uid)).orElseThrow().value().spec();
    var none = Optional.<String>empty();
    return List.of(
        new Command.SubmitJob(Lab.count("a", 1), none),
        new Command.StopJob("lab", "a"),
        new Command.RetryJob("lab", "a"),
        new Command.FollowLogs("lab", "a"),
        new Command.ApplyCluster(cluster),
        new Command.DownCluster("lab"),
        new Command.DrainWorker("lab", "w"),
        new Command.JoinWorker("lab", "own", "w", "m", "hash"),
        new Command.CreateSlice(
            "lab", "s", "v4-8", 1, Provisioning.RESERVED, none, none, none, none),
        new Command.DeleteSlice("lab", "s"),
        new Command.ReshapeSlice("lab", "s", "v4-8", 1));
  }

  @Test
  void eachKindHasOneTopic() {
    assertThat(all().stream().map(Object::getClass).collect(Collectors.toSet()))
        .isEqualTo(Set.of(Command.class.getPermittedSubclasses()));
    for (var command : all())
      assertThat(Topic.of(command) == Topic.JOBS)
          .as("%s", command)
          .isEqualTo(OF_JOBS.contains(command.getClass()));
  }

  @Test
  void otherTopicsKindsAreRejectedWithTheTopic() {
    var before = lab.store.read(new Key.OfCluster(lab.uid)).orElseThrow().version();
    for (var command : all())
      for (var topic : Topic.values()) {
        var message = lab.message(topic, command);
        if (topic == Topic.of(command)) continue;
        lab.control.intake().receive(message);
        assertThat(lab.refused(message))
            .as("%s on %s", command, topic)
            .singleElement()
            .asString()
            .contains("topic " + topic.id() + " does not carry this kind of message")
            .endsWith("publish it to " + Topic.of(command).id());
      }
    assertThat(lab.jobs()).isEmpty();
    assertThat(lab.store.read(new Key.OfCluster(lab.uid)).orElseThrow().version())
        .isEqualTo(before);
  }

  @Test
  void itsOwnKindIsNotRefusedForTheTopic() {
    for (var command : all()) {
      var message = lab.publishLate(command);
      assertThat(lab.refused(message)).noneMatch(error -> error.contains("does not carry"));
    }
  }

  @Test
  void mixedMessageDoesOnlyWhatItsTopicCarries() {
    var message =
        lab.message(
            Topic.JOBS,
            new Command.SubmitJob(Lab.count("a", 1), Optional.empty()),
            new Command.DownCluster("lab"));

    lab.control.intake().receive(message);

    assertThat(lab.jobs()).hasSize(1);
    assertThat(lab.refused(message))
        .containsExactly(
            "down of cluster lab: topic mayfly-jobs does not carry this kind of message;"
                + " publish it to mayfly-clusters");
  }
}
