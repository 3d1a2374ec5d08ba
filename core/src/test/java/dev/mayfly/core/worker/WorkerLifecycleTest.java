package dev.mayfly.core.worker;

import static dev.mayfly.core.worker.Samples.EVENTS;
import static dev.mayfly.core.worker.Samples.NOW;
import static dev.mayfly.core.worker.Samples.SOON;
import static dev.mayfly.core.worker.Samples.STATES;
import static dev.mayfly.core.worker.Samples.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.effect.Effect;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.WorkerState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WorkerLifecycleTest {
  /** From each state the states that it can become; whatever is not here stays. */
  private static final Map<String, String> TABLE =
      Map.of(
          "Launching",
          "Ordered>Booting Refused>Gone Spoke>Ready Noticed>Draining DrainAsked>Drained"
              + " DeadlinePassed>Lost MachineSeen>Booting MachineStopped>Lost GivenUp>Lost",
          "Booting",
          "Refused>Gone Spoke>Ready Noticed>Draining DrainAsked>Drained DeadlinePassed>Lost"
              + " MachineStopped>Lost MachineMissing>Gone GivenUp>Lost",
          "Ready",
          "Noticed>Draining DrainAsked>Draining Left>Drained MachineStopped>Lost MachineMissing>Lost"
              + " GivenUp>Lost",
          "Draining",
          "Joined>Booting DrainConfirmed>Drained Left>Drained DeadlinePassed>Lost MachineStopped>Lost MachineMissing>Lost"
              + " GivenUp>Lost",
          "Drained",
          "Joined>Booting MachineMissing>Gone",
          "Lost",
          "Joined>Booting MachineMissing>Gone",
          "Gone",
          "Joined>Booting");

  static Stream<Arguments> rows() {
    return STATES.stream().flatMap(s -> EVENTS.stream().map(e -> Arguments.of(s, e)));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void everyEventInEveryStateDoesWhatTheTableSays(WorkerState state, WorkerEvent event) {
    var got = WorkerLifecycle.on(state, event);

    assertThat(name(got.next())).isEqualTo(expected(state, event));
    if (!got.changed()) assertThat(got.next()).isEqualTo(state);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aRepeatedEventChangesNothingAndDoesNothingNew(WorkerState state, WorkerEvent event) {
    var first = WorkerLifecycle.on(state, event);
    // The first 404 of a machine that worked gives it up, and only the next one closes it.
    var settled =
        isLostBy404(event, first.next()) ? WorkerLifecycle.on(first.next(), event) : first;

    var again = WorkerLifecycle.on(settled.next(), event);

    assertThat(again.changed()).isFalse();
    assertThat(again.next()).isEqualTo(settled.next());
    var known = new ArrayList<>(settled.effects());
    known.addAll(WorkerLifecycle.owed(settled.next()));
    assertThat(known).containsAll(again.effects());
  }

  private static boolean isLostBy404(WorkerEvent event, WorkerState next) {
    return event instanceof WorkerEvent.MachineMissing && next instanceof WorkerState.Lost;
  }

  @ParameterizedTest
  @MethodSource("rows")
  void whatTheNextStateOwesIsAmongTheEffectsOfTheTransition(WorkerState state, WorkerEvent event) {
    var got = WorkerLifecycle.on(state, event);

    if (got.changed()
        && !(event instanceof WorkerEvent.Refused)
        && !(state instanceof WorkerState.Booting))
      assertThat(got.effects()).containsAll(WorkerLifecycle.owed(got.next()));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aMachineIsDeletedOnlyWhenNothingCanRunOnItOrItWasGivenUp(
      WorkerState state, WorkerEvent event) {
    var got = WorkerLifecycle.on(state, event);

    if (got.effects().contains(new Effect.DeleteMachine()))
      assertThat(name(got.next())).isIn("Drained", "Lost", "Gone");
  }

  @Test
  void aDeadlineThatIsNotOverChangesNothing() {
    for (var state : STATES) {
      var got = WorkerLifecycle.on(state, new WorkerEvent.DeadlinePassed(SOON.minusMillis(1)));

      assertThat(got.changed()).as(name(state)).isFalse();
    }
  }

  @Test
  void aMachineThatIsMissingBeforeItsOrderEndedMayYetCome() {
    for (var state : STATES.subList(0, 2)) {
      var got = WorkerLifecycle.on(state, new WorkerEvent.MachineMissing(NOW, false));

      assertThat(got.changed()).as(name(state)).isFalse();
    }
  }

  @Test
  void aDrainIsOnlyEverMadeShorter() {
    var draining = new WorkerState.Draining(T0, "idle", SOON);

    var sooner =
        WorkerLifecycle.on(draining, new WorkerEvent.DrainAsked(T0, "down", T0.plusSeconds(30)));
    var later =
        WorkerLifecycle.on(draining, new WorkerEvent.Noticed(T0, SOON.plus(Duration.ofMinutes(1))));

    assertThat(sooner.next()).isEqualTo(new WorkerState.Draining(T0, "idle", T0.plusSeconds(30)));
    assertThat(later.changed()).isFalse();
  }

  @Test
  void nobodyPaysAnAttemptForADeadlineOfOurs() {
    var got = WorkerLifecycle.on(STATES.get(3), new WorkerEvent.DeadlinePassed(NOW));

    assertThat(got.next())
        .isEqualTo(
            new WorkerState.Lost(
                NOW, Cause.RETURNED, "did not end before the drain deadline; idle"));
  }

  @Test
  void aMachineThatComesBackAfterItIsGoneIsDeletedAgain() {
    var gone = STATES.getLast();

    for (var event : List.of(new WorkerEvent.Spoke(NOW), new WorkerEvent.MachineSeen(NOW)))
      assertThat(WorkerLifecycle.on(gone, event).effects())
          .containsExactly(new Effect.DeleteMachine());
  }

  private static String expected(WorkerState state, WorkerEvent event) {
    var row =
        Stream.of(TABLE.get(name(state)).split(" "))
            .filter(s -> !s.isEmpty())
            .collect(Collectors.toMap(s -> s.split(">")[0], s -> s.split(">")[1]));
    return row.getOrDefault(name(event), name(state));
  }

  private static String name(Object o) {
    return o.getClass().getSimpleName();
  }
}
