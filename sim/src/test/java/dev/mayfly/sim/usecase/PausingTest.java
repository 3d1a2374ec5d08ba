package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Ticks;
import dev.mayfly.core.port.Write;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PausingTest {
  private final Lab lab = new Lab(4);

  @Test
  void aTickThatFindsNothingPausesTheTicks() {
    tick();

    assertThat(lab.schedule.paused()).isTrue();
    assertThat(want()).isEqualTo(Ticks.Want.PAUSE);
  }

  @Test
  void aJobBringsTheTicksBack() {
    tick();

    lab.submit(Lab.count("a", 3));

    assertThat(lab.schedule.paused()).isFalse();
    assertThat(want()).isEqualTo(Ticks.Want.RUN);
  }

  @Test
  void aRefusedMessageDoesNot() {
    tick();

    lab.publishLate(new Command.StopJob("nobody", "a"));

    assertThat(lab.schedule.paused()).isTrue();
  }

  @Test
  void aLiveJobKeepsTheTicks() {
    lab.submit(Lab.count("a", 3));
    tick();

    assertThat(lab.schedule.paused()).isFalse();
  }

  @Test
  void aJobThatComesBetweenTheLookAndThePauseIsFound() {
    lab.schedule.beforePause(() -> lab.submit(Lab.count("a", 3)));
    tick();

    assertThat(lab.schedule.paused()).isFalse();
    assertThat(want()).isEqualTo(Ticks.Want.RUN);
  }

  @Test
  void aPauseThatComesLateIsTakenBack() {
    tick();
    lab.submit(Lab.count("a", 3));
    lab.schedule.pause();
    tick();

    assertThat(lab.schedule.paused()).isFalse();
  }

  /** What was wanted long ago, as a backup of the ledger has it, while the schedule is paused. */
  private void restored() {
    lab.submit(Lab.count("a", 3));
    var longAgo = lab.time.instant().minus(Duration.ofHours(30));
    lab.ledger.commit(List.of(new Write.Put(new Ticks(Ticks.Want.RUN, longAgo))));
    lab.schedule.pause();
  }

  @Test
  void hourlyLookFindsThatLedgerWasRestored() {
    restored();

    lab.control.look(new Hint.Sweep());

    assertThat(lab.schedule.paused()).isFalse();
  }

  @Test
  void firstLookAfterRestoreBringsTicksBack() {
    restored();

    lab.control.look(new Hint.Look(lab.uid));

    assertThat(lab.schedule.paused()).isFalse();
  }

  @Test
  void aResumeThatWasNotStoredIsDoneAgain() {
    tick();
    lab.schedule.resume();
    lab.submit(Lab.count("a", 3));

    assertThat(lab.schedule.paused()).isFalse();
    assertThat(want()).isEqualTo(Ticks.Want.RUN);
  }

  /** The other one read the old word, and paused after this one had resumed. */
  @Test
  void whoStoresThatTicksRunLooksWhetherSomebodyPausedMeanwhile() {
    tick();
    lab.ledger.before(
        batch -> batch.stream().anyMatch(PausingTest::running), () -> lab.schedule.pause());

    lab.submit(Lab.count("a", 3));

    assertThat(want()).isEqualTo(Ticks.Want.RUN);
    assertThat(lab.schedule.paused()).isFalse();
  }

  private static boolean running(Write write) {
    return write instanceof Write.Update update
        && update.document() instanceof Ticks ticks
        && ticks.want() == Ticks.Want.RUN;
  }

  @Test
  void whoCannotLookForWorkAfterItPausedTakesThePauseBack() {
    lab.schedule.beforePause(() -> lab.ledger.away = true);

    assertThat(lab.control.look(new Hint.Tick()).troubles()).isNotEmpty();

    assertThat(lab.schedule.paused()).isFalse();
  }

  @Test
  void ofTwoHourlyLooksOneMayGetLost() {
    lab.submit(Lab.count("a", 3));
    lab.store.commit(List.of(new Write.Put(new Ticks(Ticks.Want.RUN, lab.time.instant()))));
    lab.schedule.pause();
    lab.pass(Duration.ofMinutes(119).toMillis());

    lab.control.look(new Hint.Sweep());

    assertThat(lab.schedule.paused()).isFalse();
  }

  @Test
  void theHourlySweepFindsWorkThatNobodyResumedTheTicksFor() {
    lab.submit(Lab.count("a", 3));
    lab.store.commit(List.of(new Write.Put(new Ticks(Ticks.Want.PAUSE, lab.time.instant()))));
    lab.schedule.pause();

    lab.control.look(new Hint.Sweep());

    assertThat(lab.schedule.paused()).isFalse();
  }

  private void tick() {
    assertThat(lab.control.look(new Hint.Tick()).troubles()).isEmpty();
  }

  private Ticks.Want want() {
    return lab.store.read(new Key.OfTicks()).orElseThrow().value().want();
  }
}
