package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.Rejection;
import dev.mayfly.core.port.Query;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A message that ends its function each time is not delivered for ever, and an outage loses none.
 */
class RedeliveriesTest {
  private final Lab lab = new Lab();
  private final Message message =
      lab.message(new Command.SubmitJob(Lab.count("a", 1), Optional.empty()));
  private int tries;

  private void late() {
    lab.time.pass(Duration.ofMinutes(6));
  }

  private Optional<Rejection> kept() {
    return lab.store.read(new Key.OfRejection(message.id())).map(r -> r.value());
  }

  private void kill() {
    lab.control
        .redeliveries()
        .take(
            message,
            () -> {
              tries++;
              throw new LinkageError("stands for the end of the process");
            });
  }

  private void fault() {
    lab.control
        .redeliveries()
        .take(
            message,
            () -> {
              tries++;
              throw new Unavailable("the cloud is away");
            });
  }

  private void take() {
    lab.control.redeliveries().take(message, () -> lab.control.intake().receive(message));
  }

  /** A job of a cluster that is not up. */
  private Message early() {
    var a = Lab.count("a", 1);
    return lab.message(
        new Command.SubmitJob(
            new JobSpec(
                "a",
                "next",
                Optional.empty(),
                a.tasks(),
                a.data(),
                a.run(),
                a.resources(),
                a.retries(),
                50,
                List.of(),
                false),
            Optional.empty()));
  }

  @Test
  void jobThatOvertakesItsClusterIsTakenAfterIt() {
    var pools = lab.store.read(new Key.OfCluster(lab.uid)).orElseThrow().value().spec().pools();
    var next = new ClusterSpec("next", "gs://lab", Map.of(), pools, Optional.empty());
    var up = lab.message(new Command.ApplyCluster(next, Optional.empty()));
    var job = early();

    assertThatThrownBy(() -> lab.control.intake().receive(job))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("there is no cluster next");
    lab.control.intake().receive(up);
    lab.control.intake().receive(job);

    assertThat(lab.refused(job)).isEmpty();
    assertThat(lab.store.query(new Query.Clusters(false)).some())
        .extracting(c -> c.value().spec().name())
        .contains("next");
  }

  @Test
  void drainThatOvertakesItsJoinComesAgain() {
    var drain = lab.message(new Command.DrainWorker("lab", "desk"));

    assertThatThrownBy(() -> lab.control.intake().receive(drain))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("cluster lab has no worker desk");
    lab.time.pass(Duration.ofSeconds(11));
    lab.control.intake().receive(drain);

    assertThat(lab.refused(drain)).singleElement().asString().contains("no worker desk");
  }

  @Test
  void jobOfUnknownClusterIsRejectedAfterWait() {
    var job = early();
    lab.time.pass(Duration.ofSeconds(11));
    var tomorrows = new Message("odd", lab.now().plus(Duration.ofDays(1)), job.topic(), job.data());

    for (var message : List.of(job, tomorrows)) {
      lab.control.intake().receive(message);
      assertThat(lab.refused(message))
          .singleElement()
          .asString()
          .contains("there is no cluster next");
    }
  }

  @Test
  void messageThatEndsItsFunctionIsRejected() {
    for (var i = 0; i < 3; i++) assertThatThrownBy(this::kill).isInstanceOf(LinkageError.class);
    assertThat(kept()).as("within minutes nothing is counted").isEmpty();
    late();
    for (var i = 0; i < 10; i++) assertThatThrownBy(this::kill).isInstanceOf(LinkageError.class);
    assertThat(kept().orElseThrow().attempts()).isEqualTo(10);
    assertThat(lab.control.views().rejection(message.id())).as("it may yet be taken").isEmpty();

    kill();
    kill();

    assertThat(tries).as("it is not tried any more").isEqualTo(13);
    assertThat(lab.control.views().rejection(message.id()).orElseThrow().errors())
        .singleElement()
        .asString()
        .contains("was tried 10 times")
        .contains("Publish it again");
  }

  @Test
  void outageOfHoursLosesNothing() {
    late();
    for (var i = 0; i < 100; i++) {
      assertThatThrownBy(this::fault).isInstanceOf(Unavailable.class);
      late();
    }
    assertThat(kept()).isEmpty();

    take();

    assertThat(lab.jobs()).hasSize(1);
    assertThat(kept()).isEmpty();
  }

  @Test
  void lateMessageThatIsTakenLeavesNoTrace() {
    late();
    assertThatThrownBy(this::kill).isInstanceOf(LinkageError.class);
    assertThatThrownBy(this::fault).isInstanceOf(Unavailable.class);
    assertThat(kept().orElseThrow().attempts()).isEqualTo(1);

    take();

    assertThat(lab.jobs()).hasSize(1);
    assertThat(kept()).isEmpty();
  }

  @Test
  void lateMessageThatIsRefusedKeepsItsReason() {
    lab.time.pass(Duration.ofMinutes(6));
    var bad =
        new Message("bad", lab.now().minusSeconds(600), message.topic(), new byte[] {0, 1, 'x'});

    lab.control.redeliveries().take(bad, () -> lab.control.intake().receive(bad));

    assertThat(lab.control.views().rejection("bad").orElseThrow().errors()).hasSize(1);
  }
}
