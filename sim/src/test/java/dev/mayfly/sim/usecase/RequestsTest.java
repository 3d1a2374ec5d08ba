package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.Topic;
import dev.mayfly.core.port.Query;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each thing that was asked, and obeyed, is an event with its message and who claims to ask. */
class RequestsTest {
  private final Lab lab = new Lab();

  private List<Event> events(String about) {
    return lab.store.query(new Query.Events(lab.uid, Optional.of(about), 100)).complete().stream()
        .map(it -> it.value())
        .toList();
  }

  private List<Event> asked(String about) {
    return events(about).stream().filter(event -> event.what().equals("asked")).toList();
  }

  private Message by(String publisher, Command command) {
    return new Message(
        "7001",
        lab.time.instant(),
        Topic.of(command),
        Optional.of(publisher),
        lab.codec.message(List.of(command)));
  }

  @Test
  void clusterTellsWhichMessageBroughtItUp() {
    assertThat(asked("cluster/lab"))
        .extracting(Event::why)
        .containsExactly("up: message m1 on mayfly-clusters, which names no publisher");
  }

  @Test
  void repeatedMessageIsOneEventWithClaimedPublisher() {
    lab.submit(Lab.count("a", 1));
    var stop = by("ann@lab.org", new Command.StopJob("lab", "a"));

    lab.control.intake().receive(stop);
    lab.control.intake().receive(stop);

    assertThat(asked("job/a"))
        .extracting(Event::why)
        .containsOnlyOnce("stop: message 7001 on mayfly-jobs, published by ann@lab.org (claimed)")
        .hasSize(2);
    assertThat(events("job/a"))
        .filteredOn(event -> event.what().equals("stopping"))
        .extracting(Event::why)
        .containsExactly("stopped by ann@lab.org (claimed)");
  }

  @Test
  void refusedAndReadingMessagesAreNoEvents() {
    lab.submit(Lab.count("a", 1));

    lab.publishLate(new Command.StopJob("elsewhere", "a"));
    lab.publish(new Command.FollowLogs("lab", "a"));
    lab.control.intake().receive(lab.message(Topic.JOBS, new Command.DownCluster("lab")));

    assertThat(asked("job/a")).hasSize(1);
    assertThat(asked("cluster/lab")).hasSize(1);
  }
}
