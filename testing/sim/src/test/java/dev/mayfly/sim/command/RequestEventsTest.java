package dev.mayfly.sim.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.message.MessageTopic;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.message.UserTopic;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.sim.fixture.LabCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each executed command is an event with its message and its claimed publisher. */
class RequestEventsTest {
  private final LabCluster labCluster = new LabCluster();

  private List<EventRecord> events(String about) {
    return labCluster
        .store
        .query(new LedgerQuery.Events(labCluster.uid, Optional.of(about), 100))
        .requireComplete()
        .stream()
        .map(it -> it.value())
        .toList();
  }

  private List<EventRecord> asked(String about) {
    return events(about).stream()
        .filter(eventRecord -> eventRecord.what().equals("received"))
        .toList();
  }

  private UserMessage by(String publisher, UserCommand userCommand) {
    return new UserMessage(
        "7001",
        labCluster.time.instant(),
        MessageTopic.ofAll(UserTopic.of(userCommand)),
        Optional.of(publisher),
        labCluster.codec.message(List.of(userCommand)));
  }

  @Test
  void clusterEventNamesItsMessage() {
    assertThat(asked("cluster/lab"))
        .extracting(EventRecord::why)
        .containsExactly("up: message m1 on mayfly-clusters, which names no publisher");
  }

  @Test
  void repeatedMessageIsOneEventWithClaimedPublisher() {
    labCluster.submit(LabCluster.count("a", 1));
    var stop = by("ann@lab.org", new UserCommand.StopJob("lab", "a"));

    labCluster.controlPlane.commandHandler().handle(stop);
    labCluster.time.advance(Duration.ofMinutes(5));
    labCluster.controlPlane.commandHandler().handle(stop);

    assertThat(asked("job/a"))
        .extracting(EventRecord::why)
        .containsOnlyOnce("stop: message 7001 on mayfly-jobs, published by ann@lab.org (claimed)")
        .hasSize(2);
    assertThat(events("job/a"))
        .filteredOn(eventRecord -> eventRecord.what().equals("stopping"))
        .extracting(EventRecord::why)
        .containsExactly("stopped by ann@lab.org (claimed)");
  }

  @Test
  void refusedCommandIsOneEventOfWhatItNames() {
    labCluster.submit(LabCluster.count("a", 1));
    var task = new UserCommand.NewTask(Optional.empty(), Map.of("lr", "1e-05"));
    var add = by("ann", new UserCommand.AddTasks("lab", "a", Optional.of("x"), List.of(task)));

    labCluster.controlPlane.commandHandler().handle(add);
    labCluster.controlPlane.commandHandler().handle(add);

    assertThat(events("job/a"))
        .filteredOn(eventRecord -> eventRecord.what().equals("refused"))
        .extracting(EventRecord::why)
        .containsExactly(
            "add: message 7001 on mayfly-jobs, published by ann (claimed): job: job a is not open; submit one with tasks: {open: true} to add tasks");
  }

  @Test
  void refusedAndReadOnlyMessagesAreNotReceived() {
    labCluster.submit(LabCluster.count("a", 1));

    labCluster.publishLate(new UserCommand.StopJob("elsewhere", "a"));
    labCluster.publish(new UserCommand.FollowLogs("lab", "a"));
    labCluster
        .controlPlane
        .commandHandler()
        .handle(labCluster.message(UserTopic.JOBS, new UserCommand.DownCluster("lab")));

    assertThat(asked("job/a")).hasSize(1);
    assertThat(asked("cluster/lab")).hasSize(1);
  }
}
