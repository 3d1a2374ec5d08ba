package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Key;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any interleaving of repeats of a published sequence ends in the state of the sequence itself, for
 * all commands.
 */
class NewestWordTest {
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
        .containsExactlyInAnyOrder(Command.class.getPermittedSubclasses());
  }

  @Test
  void aStopThatComesAgainAfterARetryStopsNothing() {
    var lab = new Lab();
    lab.submit(Lab.count("j", 4));
    var stop = lab.stop("j");
    lab.deliver();
    lab.publish(new Command.RetryJob("lab", "j"));
    lab.deliver();

    lab.control.intake().receive(stop);
    lab.deliver();

    assertThat(lab.end("j")).startsWith("Running");
  }

  @Test
  void aRetryThatComesAgainResurrectsNothing() {
    var lab = new Lab();
    lab.submit(Lab.count("j", 4));
    lab.stop("j");
    lab.deliver();
    var retry = lab.publish(new Command.RetryJob("lab", "j"));
    lab.deliver();
    lab.stop("j");
    lab.deliver();

    lab.control.intake().receive(retry);
    lab.deliver();

    assertThat(lab.end("j")).isEqualTo("STOPPED: 0 done, 4 not finished");
  }

  @Test
  void whatWasRefusedStaysRefusedWhenItCouldBeTaken() {
    var lab = new Lab();
    lab.submit(Lab.count("j", 4));
    lab.stop("j");
    var early = lab.publish(new Command.RetryJob("lab", "j"));
    assertThat(lab.refused(early)).singleElement().asString().contains("still ending");
    lab.deliver();
    lab.pass(3_000);

    lab.control.intake().receive(early);
    lab.deliver();

    assertThat(lab.end("j")).startsWith("STOPPED");
  }

  @Test
  void aSubmissionOfAnEarlierClusterIsNoJobOfTheNext() {
    var lab = new Lab();
    var submitted = lab.submit(Lab.count("j", 4));
    lab.publish(new Command.DownCluster("lab"));
    for (var i = 0; i < 5; i++) {
      lab.deliver();
      lab.pass(60_000);
      lab.control.look(new Hint.Tick());
    }
    lab.publish(new Command.ApplyCluster(CommandSequence.spec(lab)));
    assertThat(lab.store.read(new Key.OfClusterName("lab")).orElseThrow().value().uid())
        .isNotEqualTo(lab.uid);

    lab.control.intake().receive(submitted);

    assertThat(CommandSequence.documents(lab, Job.class)).hasSize(1);
    assertThat(lab.refused(submitted)).singleElement().asString().contains("brought up after");
  }
}
