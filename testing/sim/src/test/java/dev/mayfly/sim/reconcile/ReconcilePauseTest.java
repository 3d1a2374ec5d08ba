package dev.mayfly.sim.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.reconcile.ReconcileResult;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Triggers that arrive during the pause after a reconcile, or while one runs. */
class ReconcilePauseTest {
  private static final Duration PAUSE = Timings.DEFAULT.reconcilePause();

  private static ReconcileFixture begun() {
    var b = new ReconcileFixture();
    assertThat(b.reconcile()).isEqualTo(new ReconcileResult(List.of(), Optional.empty()));
    b.job("reddit", 1);
    return b;
  }

  @Test
  void oneCallWaitsForPauseEnd() {
    var b = begun();

    var first = b.reconcile();
    var second = b.reconcile();

    assertThat(first.later().orElseThrow().at()).isEqualTo(b.time.instant().plus(PAUSE));
    assertThat(second.later()).isEmpty();
    assertThat(b.workers()).isEmpty();
    b.time.advance(PAUSE);
    assertThat(b.reconcileLoop.resume(first.later().get()).later()).isEmpty();
    assertThat(b.workers()).hasSize(1);
  }

  @Test
  void noReconcileStartsWithoutItsCall() {
    var b = begun();
    var _ = b.reconcile();

    b.time.advance(PAUSE.multipliedBy(2));

    assertThat(b.workers()).isEmpty();
  }

  @Test
  void callResumedTooEarlyWaitsAgain() {
    var b = begun();
    var later = b.reconcile().later().orElseThrow();
    b.time.advance(PAUSE.minusMillis(1));

    var again = b.reconcileLoop.resume(later).later().orElseThrow();
    assertThat(again).isEqualTo(later);
    b.time.advance(Duration.ofMillis(1));

    assertThat(b.reconcileLoop.resume(again).later()).isEmpty();
    assertThat(b.workers()).hasSize(1);
  }

  @Test
  void callWithRunningReconcileMakesNextOne() {
    var b = new ReconcileFixture();
    b.job("reddit", 1);
    var asked = new ArrayList<ReconcileResult>();
    b.fleet.orders =
        Optional.of(order -> {
          asked.add(b.reconcile());
          asked.add(b.reconcile());
          b.job("second", 2);
          b.fleet.orders = Optional.empty();
          return b.fleet.order(order);
        });

    var running = b.reconcile();

    assertThat(asked).allSatisfy(l -> assertThat(l.later()).isEmpty());
    b.time.advance(PAUSE);
    b.reconcileLoop.resume(running.later().orElseThrow());
    assertThat(b.workers()).hasSize(2);
  }

  @Test
  void anotherCallReplacesEndedCall() {
    var b = begun();
    var lost = b.reconcile().later().orElseThrow();
    b.time.advance(PAUSE.plusSeconds(9));
    assertThat(b.reconcile().later()).isEmpty();
    b.time.advance(Duration.ofSeconds(1));

    b.reconcile();

    assertThat(b.workers()).hasSize(1);
    assertThat(b.reconcileLoop.resume(lost))
        .isEqualTo(new ReconcileResult(List.of(), Optional.empty()));
  }

  @Test
  void callThatCannotWaitPassesReconcileOn() {
    var b = begun();
    var later = b.reconcile().later().orElseThrow();
    b.triggers.clear();

    b.reconcileLoop.passOn(later);
    b.reconcileLoop.passOn(later);

    assertThat(b.triggers).containsExactly(new Trigger.Reconcile(b.uid));
    b.time.advance(PAUSE);
    b.reconcile();
    assertThat(b.workers()).hasSize(1);
  }

  @Test
  void failedReconcileIsFollowedByRequestedOne() {
    var b = new ReconcileFixture();
    b.job("reddit", 1);
    b.fleet.orders =
        Optional.of(order -> {
          b.reconcile();
          throw new IllegalStateException("a mistake");
        });

    var failed = b.reconcile();

    assertThat(failed.problems()).isNotEmpty();
    assertThat(failed.later()).isPresent();
  }
}
