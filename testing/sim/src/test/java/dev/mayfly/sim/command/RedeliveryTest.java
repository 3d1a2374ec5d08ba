package dev.mayfly.sim.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.RejectedMessage;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.spec.ClusterBuilder;
import dev.mayfly.sim.spec.JobBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A message that crashes its function each time is not redelivered for ever, and an outage loses no
 * message.
 */
class RedeliveryTest {
  private final LabCluster labCluster = new LabCluster();
  private final UserMessage userMessage =
      labCluster.message(new UserCommand.SubmitJob(LabCluster.count("a", 1), Optional.empty()));
  private int tries;

  private void late() {
    labCluster.time.advance(Duration.ofMinutes(6));
  }

  private Optional<RejectedMessage> kept() {
    return labCluster
        .store
        .read(new DocumentKey.OfRejectedMessage(userMessage.id()))
        .map(r -> r.value());
  }

  private void kill() {
    labCluster
        .controlPlane
        .redeliveries()
        .deliver(
            userMessage,
            () -> {
              tries++;
              throw new LinkageError("stands for the end of the process");
            });
  }

  private void fault() {
    labCluster
        .controlPlane
        .redeliveries()
        .deliver(
            userMessage,
            () -> {
              tries++;
              throw new UnavailableException("the cloud is away");
            });
  }

  private void take() {
    labCluster
        .controlPlane
        .redeliveries()
        .deliver(userMessage, () -> labCluster.controlPlane.commandHandler().handle(userMessage));
  }

  /** A job of a cluster that does not exist yet. */
  private UserMessage early() {
    var a = LabCluster.count("a", 1);
    return labCluster.message(
        new UserCommand.SubmitJob(
            JobBuilder.like(a, "a").cluster("next").build(), Optional.empty()));
  }

  private List<PoolSpec> pools() {
    return CommandSequence.spec(labCluster).pools();
  }

  @Test
  void jobBeforeItsClusterIsAcceptedLater() {
    var next = ClusterBuilder.named("next").pools(pools()).build();
    var up = labCluster.message(new UserCommand.ApplyCluster(next, Optional.empty(), false));
    var job = early();

    assertThatThrownBy(() -> labCluster.controlPlane.commandHandler().handle(job))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("there is no cluster next");
    labCluster.controlPlane.commandHandler().handle(up);
    labCluster.controlPlane.commandHandler().handle(job);

    assertThat(labCluster.refused(job)).isEmpty();
    assertThat(labCluster.store.query(new LedgerQuery.Clusters(false)).readableOnly())
        .extracting(c -> c.value().spec().name())
        .contains("next");
  }

  @Test
  void drainBeforeItsJoinIsRedelivered() {
    var drain = labCluster.message(new UserCommand.DrainWorker("lab", "desk"));

    assertThatThrownBy(() -> labCluster.controlPlane.commandHandler().handle(drain))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("cluster lab has no worker desk");
    labCluster.time.advance(Duration.ofSeconds(11));
    labCluster.controlPlane.commandHandler().handle(drain);

    assertThat(labCluster.refused(drain)).singleElement().asString().contains("no worker desk");
  }

  @Test
  void jobOfUnknownClusterIsRejectedAfterWait() {
    var job = early();
    labCluster.time.advance(Duration.ofSeconds(11));
    var tomorrows =
        new UserMessage(
            "odd",
            labCluster.now().plus(Duration.ofDays(1)),
            job.topic(),
            Optional.empty(),
            job.data());

    for (var message : List.of(job, tomorrows)) {
      labCluster.controlPlane.commandHandler().handle(message);
      assertThat(labCluster.refused(message))
          .singleElement()
          .asString()
          .contains("there is no cluster next");
    }
  }

  @Test
  void lateFileAfterItsDownIsRejected() {
    var next = ClusterBuilder.named("next").pools(pools()).build();
    var up = labCluster.message(new UserCommand.ApplyCluster(next, Optional.empty(), false));
    labCluster.time.advance(Duration.ofSeconds(1));
    var down = labCluster.message(new UserCommand.DownCluster("next"));
    labCluster.time.advance(Duration.ofMinutes(2));

    for (var message : List.of(down, up, up, down))
      labCluster.controlPlane.commandHandler().handle(message);

    assertThat(labCluster.refused(down))
        .singleElement()
        .asString()
        .contains("there is no cluster next; known clusters: lab");
    assertThat(labCluster.refused(up))
        .singleElement()
        .asString()
        .contains("a down of cluster next that was published later arrived first");
    assertThat(labCluster.store.query(new LedgerQuery.Clusters(false)).readableOnly())
        .extracting(c -> c.value().spec().name())
        .containsExactly("lab");
  }

  @Test
  void crashingMessageIsRejected() {
    for (var i = 0; i < 3; i++) assertThatThrownBy(this::kill).isInstanceOf(LinkageError.class);
    assertThat(kept()).as("within minutes nothing is counted").isEmpty();
    late();
    for (var i = 0; i < 10; i++) assertThatThrownBy(this::kill).isInstanceOf(LinkageError.class);
    assertThat(kept().orElseThrow().attempts()).isEqualTo(10);
    assertThat(labCluster.controlPlane.statusQueries().rejection(userMessage.id()))
        .as("it may yet be taken")
        .isEmpty();

    kill();
    kill();

    assertThat(tries).as("it is not tried any more").isEqualTo(13);
    assertThat(
            labCluster
                .controlPlane
                .statusQueries()
                .rejection(userMessage.id())
                .orElseThrow()
                .errors())
        .singleElement()
        .asString()
        .contains("was tried 10 times")
        .contains("Publish it again");
  }

  @Test
  void outageOfHoursLosesNothing() {
    late();
    for (var i = 0; i < 100; i++) {
      assertThatThrownBy(this::fault).isInstanceOf(UnavailableException.class);
      late();
    }
    assertThat(kept()).isEmpty();

    take();

    assertThat(labCluster.jobs()).hasSize(1);
    assertThat(kept()).isEmpty();
  }

  @Test
  void acceptedLateMessageLeavesNoRejection() {
    late();
    assertThatThrownBy(this::kill).isInstanceOf(LinkageError.class);
    assertThatThrownBy(this::fault).isInstanceOf(UnavailableException.class);
    assertThat(kept().orElseThrow().attempts()).isEqualTo(1);

    take();

    assertThat(labCluster.jobs()).hasSize(1);
    assertThat(kept()).isEmpty();
  }

  @Test
  void rejectedLateMessageKeepsReason() {
    labCluster.time.advance(Duration.ofMinutes(6));
    var bad =
        new UserMessage(
            "bad",
            labCluster.now().minusSeconds(600),
            userMessage.topic(),
            Optional.empty(),
            new byte[] {0, 1, 'x'});

    labCluster
        .controlPlane
        .redeliveries()
        .deliver(bad, () -> labCluster.controlPlane.commandHandler().handle(bad));

    assertThat(labCluster.controlPlane.statusQueries().rejection("bad").orElseThrow().errors())
        .hasSize(1);
  }
}
