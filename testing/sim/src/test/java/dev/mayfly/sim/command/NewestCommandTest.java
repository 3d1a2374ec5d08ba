package dev.mayfly.sim.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any interleaving of repeats of a published sequence ends in the state of the sequence itself, for
 * all commands.
 */
class NewestCommandTest {
  private static final int WORLDS = 300;

  static Stream<Long> seeds() {
    return Stream.iterate(1L, s -> s + 1).limit(WORLDS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void repeatsEndInTheStateOfTheSequence(long seed) {
    var told = new CommandSequence(seed, false);
    var repeated = new CommandSequence(seed, true);

    assertThat(repeated.run()).as(repeated.story.toString()).isEqualTo(told.run());
  }

  @Test
  void everyKindOfCommandIsPublished() {
    var kinds =
        seeds()
            .flatMap(seed -> new CommandSequence(seed, false).commands().stream())
            .map(Object::getClass);

    assertThat(kinds.distinct().toList())
        .containsExactlyInAnyOrder(UserCommand.class.getPermittedSubclasses());
  }

  @Test
  void oldStopAfterRetryStopsNothing() {
    var labCluster = new LabCluster();
    labCluster.submit(LabCluster.count("j", 4));
    var stop = labCluster.stop("j");
    labCluster.deliver();
    labCluster.publish(new UserCommand.RetryJob("lab", "j"));
    labCluster.deliver();

    labCluster.controlPlane.commandHandler().handle(stop);
    labCluster.deliver();

    assertThat(labCluster.end("j")).startsWith("Running");
  }

  @Test
  void redeliveredRetryResurrectsNothing() {
    var labCluster = new LabCluster();
    labCluster.submit(LabCluster.count("j", 4));
    labCluster.stop("j");
    labCluster.deliver();
    var retry = labCluster.publish(new UserCommand.RetryJob("lab", "j"));
    labCluster.deliver();
    labCluster.stop("j");
    labCluster.deliver();

    labCluster.controlPlane.commandHandler().handle(retry);
    labCluster.deliver();

    assertThat(labCluster.end("j"))
        .isEqualTo("STOPPED: 0 done, 4 not finished; stopped by a message");
  }

  @Test
  void refusedCommandStaysRefused() {
    var labCluster = new LabCluster();
    labCluster.submit(LabCluster.count("j", 4));
    labCluster.stop("j");
    var early = labCluster.publish(new UserCommand.RetryJob("lab", "j"));
    assertThat(labCluster.refused(early)).singleElement().asString().contains("still ending");
    labCluster.deliver();
    labCluster.advance(3_000);

    labCluster.controlPlane.commandHandler().handle(early);
    labCluster.deliver();

    assertThat(labCluster.end("j")).startsWith("STOPPED");
  }

  @Test
  void submissionForEarlierClusterIsRefused() {
    var labCluster = new LabCluster();
    var submitted = labCluster.submit(LabCluster.count("j", 4));
    labCluster.publish(new UserCommand.DownCluster("lab"));
    for (var i = 0; i < 5; i++) {
      labCluster.deliver();
      labCluster.advance(60_000);
      labCluster.controlPlane.handle(new Trigger.Tick());
    }
    labCluster.publish(
        new UserCommand.ApplyCluster(CommandSequence.spec(labCluster), Optional.empty(), false));
    var name = labCluster.store.read(new DocumentKey.OfClusterName("lab")).orElseThrow().value();
    assertThat(name.uid()).isPresent().get().isNotEqualTo(labCluster.uid);

    labCluster.controlPlane.commandHandler().handle(submitted);

    assertThat(CommandSequence.documents(labCluster, Job.class)).hasSize(1);
    assertThat(labCluster.refused(submitted))
        .singleElement()
        .asString()
        .contains("brought up after");
  }
}
