package dev.mayfly.sim.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.Looked;
import dev.mayfly.core.control.Rules;
import dev.mayfly.core.model.Hint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What becomes of looks that come within the pause of a round, or while one runs. */
class RoundPauseTest {
  private static final Duration PAUSE = Rules.DEFAULT.roundPause();

  private static Bench begun() {
    var b = new Bench();
    assertThat(b.look()).isEqualTo(new Looked(List.of(), Optional.empty()));
    b.job("reddit", 1);
    return b;
  }

  @Test
  void oneCallWaitsForTheEndOfThePause() {
    var b = begun();

    var first = b.look();
    var second = b.look();

    assertThat(first.later().orElseThrow().at()).isEqualTo(b.time.instant().plus(PAUSE));
    assertThat(second.later()).isEmpty();
    assertThat(b.workers()).isEmpty();
    b.time.pass(PAUSE);
    assertThat(b.rounds.resume(first.later().get()).later()).isEmpty();
    assertThat(b.workers()).hasSize(1);
  }

  @Test
  void noRoundBeginsWithoutItsCall() {
    var b = begun();
    var _ = b.look();

    b.time.pass(PAUSE.multipliedBy(2));

    assertThat(b.workers()).isEmpty();
  }

  @Test
  void callThatGoesOnTooEarlyWaitsAgain() {
    var b = begun();
    var later = b.look().later().orElseThrow();
    b.time.pass(PAUSE.minusMillis(1));

    var again = b.rounds.resume(later).later().orElseThrow();
    assertThat(again).isEqualTo(later);
    b.time.pass(Duration.ofMillis(1));

    assertThat(b.rounds.resume(again).later()).isEmpty();
    assertThat(b.workers()).hasSize(1);
  }

  @Test
  void callWithARunningRoundMakesTheNextOne() {
    var b = new Bench();
    b.job("reddit", 1);
    var asked = new ArrayList<Looked>();
    b.fleet.orders =
        Optional.of(order -> {
          asked.add(b.look());
          asked.add(b.look());
          b.job("second", 2);
          b.fleet.orders = Optional.empty();
          return b.fleet.order(order);
        });

    var running = b.look();

    assertThat(asked).allSatisfy(l -> assertThat(l.later()).isEmpty());
    b.time.pass(PAUSE);
    b.rounds.resume(running.later().orElseThrow());
    assertThat(b.workers()).hasSize(2);
  }

  @Test
  void anotherTakesThePlaceOfACallThatEnded() {
    var b = begun();
    var lost = b.look().later().orElseThrow();
    b.time.pass(PAUSE.plusSeconds(9));
    assertThat(b.look().later()).isEmpty();
    b.time.pass(Duration.ofSeconds(1));

    b.look();

    assertThat(b.workers()).hasSize(1);
    assertThat(b.rounds.resume(lost)).isEqualTo(new Looked(List.of(), Optional.empty()));
  }

  @Test
  void callThatCannotWaitPassesItsRoundsOn() {
    var b = begun();
    var later = b.look().later().orElseThrow();
    b.hints.clear();

    b.rounds.passOn(later);
    b.rounds.passOn(later);

    assertThat(b.hints).containsExactly(new Hint.Look(b.uid));
    b.time.pass(PAUSE);
    b.look();
    assertThat(b.workers()).hasSize(1);
  }

  @Test
  void failedRoundIsFollowedByTheOneThatWasAskedFor() {
    var b = new Bench();
    b.job("reddit", 1);
    b.fleet.orders =
        Optional.of(order -> {
          b.look();
          throw new IllegalStateException("a mistake");
        });

    var failed = b.look();

    assertThat(failed.troubles()).isNotEmpty();
    assertThat(failed.later()).isPresent();
  }
}
