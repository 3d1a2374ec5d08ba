package dev.mayfly.core.lifecycle;

import static dev.mayfly.core.lifecycle.WorkerSamples.EVENTS;
import static dev.mayfly.core.lifecycle.WorkerSamples.IDLE;
import static dev.mayfly.core.lifecycle.WorkerSamples.NOW;
import static dev.mayfly.core.lifecycle.WorkerSamples.SOON;
import static dev.mayfly.core.lifecycle.WorkerSamples.STATES;
import static dev.mayfly.core.lifecycle.WorkerSamples.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.WorkerState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WorkerLifecycleTest {
  /** The transitions of each state; events not listed leave it unchanged. */
  private static final DrainReason DOWN = new DrainReason(DrainCause.CLUSTER_DOWN, "down");

  private static final Map<String, String> TABLE =
      Map.of(
          "Launching",
          "Ordered>Booting Refused>Gone AgentSynced>Ready PreemptionNoticed>Draining DrainRequested>Drained"
              + " DeadlinePassed>Lost MachineSeen>Booting MachineStopped>Lost DeclaredLost>Lost",
          "Booting",
          "Refused>Gone AgentSynced>Ready PreemptionNoticed>Draining DrainRequested>Drained DeadlinePassed>Lost"
              + " MachineStopped>Lost MachineMissing>Gone DeclaredLost>Lost",
          "Ready",
          "PreemptionNoticed>Draining DrainRequested>Draining AgentLeft>Drained MachineStopped>Lost MachineMissing>Lost"
              + " DeclaredLost>Lost",
          "Draining",
          "Joined>Booting DrainConfirmed>Drained AgentLeft>Drained DeadlinePassed>Lost MachineStopped>Lost MachineMissing>Lost"
              + " DeclaredLost>Lost",
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
  void everyEventFollowsTheTable(WorkerState state, WorkerEvent event) {
    var got = WorkerLifecycle.on(state, event);

    assertThat(name(got.next())).isEqualTo(expected(state, event));
    if (!got.changed()) assertThat(got.next()).isEqualTo(state);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aRepeatedEventChangesNothingAndDoesNothingNew(WorkerState state, WorkerEvent event) {
    var first = WorkerLifecycle.on(state, event);
    // The first 404 of a working machine makes it lost, and only the next one gone.
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
  void transitionEffectsIncludeOwedOnes(WorkerState state, WorkerEvent event) {
    var got = WorkerLifecycle.on(state, event);

    if (got.changed()
        && !(event instanceof WorkerEvent.Refused)
        && !(state instanceof WorkerState.Booting))
      assertThat(got.effects()).containsAll(WorkerLifecycle.owed(got.next()));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void onlyFinishedWorkersLoseTheirMachine(WorkerState state, WorkerEvent event) {
    var got = WorkerLifecycle.on(state, event);

    if (got.effects().contains(new WorkerEffect.DeleteMachine()))
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
  void noDeadlinePassesInTheCloudsQueue() {
    var queue = Optional.of(new WorkerState.CloudQueue(T0, "ACCEPTED"));
    var queued = new WorkerState.Booting(T0, SOON, "op", queue, Optional.empty());

    var got = WorkerLifecycle.on(queued, new WorkerEvent.DeadlinePassed(SOON.plusSeconds(1)));

    assertThat(got.next()).isEqualTo(queued);
  }

  @Test
  void missingMachineMayAppearBeforeOrderEnds() {
    for (var state : STATES.subList(0, 2)) {
      var got = WorkerLifecycle.on(state, new WorkerEvent.MachineMissing(NOW, false));

      assertThat(got.changed()).as(name(state)).isFalse();
    }
  }

  @Test
  void aDrainIsOnlyEverMadeShorter() {
    var draining = new WorkerState.Draining(T0, IDLE, SOON);

    var sooner =
        WorkerLifecycle.on(draining, new WorkerEvent.DrainRequested(T0, DOWN, T0.plusSeconds(30)));
    var later =
        WorkerLifecycle.on(
            draining, new WorkerEvent.PreemptionNoticed(T0, SOON.plus(Duration.ofMinutes(1))));

    assertThat(sooner.next()).isEqualTo(new WorkerState.Draining(T0, DOWN, T0.plusSeconds(30)));
    assertThat(later.changed()).isFalse();
  }

  @Test
  void passedDrainDeadlineHasItsOwnCause() {
    var got = WorkerLifecycle.on(STATES.get(3), new WorkerEvent.DeadlinePassed(NOW));

    assertThat(got.next())
        .isEqualTo(
            new WorkerState.Lost(
                NOW, FailureCause.DRAINED, "idle; it did not end before the drain deadline"));
  }

  @Test
  void returningMachineIsDeletedAgain() {
    var gone = STATES.getLast();

    for (var event : List.of(new WorkerEvent.AgentSynced(NOW), new WorkerEvent.MachineSeen(NOW)))
      assertThat(WorkerLifecycle.on(gone, event).effects())
          .containsExactly(new WorkerEffect.DeleteMachine());
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
