package dev.mayfly.functions.handler;

import com.google.cloud.functions.CloudEventsFunction;
import dev.mayfly.core.control.ControlPlane;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.ScheduledExecutor;
import dev.mayfly.core.reconcile.ReconcileResult;
import dev.mayfly.wire.Wire;
import io.cloudevents.CloudEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Topic {@code mayfly-ticks}, once for {@code autoscale} and once for {@code cleanup}, so that a
 * failure of one does not affect the other.
 */
public final class TickHandler implements CloudEventsFunction {
  /** The function that handles the tick. */
  public enum Role {
    AUTOSCALE,
    CLEANUP
  }

  private static final Logger LOG = LoggerFactory.getLogger(TickHandler.class);

  /** How long a call continues with reconciliations that were requested meanwhile. */
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final ControlPlane controlPlane;
  private final Role role;
  private final ScheduledExecutor executor;
  private final InstantSource clock;

  public TickHandler(
      ControlPlane controlPlane, Role role, ScheduledExecutor executor, InstantSource clock) {
    this.controlPlane = controlPlane;
    this.role = role;
    this.executor = executor;
    this.clock = clock;
  }

  /**
   * Starts delayed reconciliations within this call, because an instance may have no CPU between
   * calls.
   */
  private void run(Trigger trigger) {
    try (var _ = controlPlane.flushOnClose()) {
      resumeUntil(logProblems(controlPlane.handle(trigger)), clock.instant().plus(LONGEST));
    }
  }

  private void resumeUntil(Optional<ReconcileResult.Later> first, Instant due) {
    var later = first;
    while (later.isPresent()) {
      if (later.get().at().isAfter(due) || !await(later.get().at())) {
        controlPlane.passOn(later.get());
        return;
      }
      later = logProblems(controlPlane.resume(later.get()));
    }
  }

  private Optional<ReconcileResult.Later> logProblems(ReconcileResult reconcileResult) {
    reconcileResult.problems().forEach(problem -> LOG.warn("{}: {}", role, problem));
    return reconcileResult.later();
  }

  /** False if the process is ending. */
  private boolean await(Instant at) {
    var reached = new CountDownLatch(1);
    executor.callAt(at, reached::countDown);
    try {
      reached.await();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void accept(CloudEvent event) {
    ErrorBoundary.handleEvent(event, this::handle);
  }

  private void handle(PubSubMessage pubSubMessage) {
    if (pubSubMessage.isStale(clock.instant())) return;
    switch (Wire.shared().trigger(pubSubMessage.data())) {
      case Trigger.Tick _ when role == Role.CLEANUP -> run(new Trigger.CollectOrphans());
      case Trigger.CollectOrphans collect when role == Role.CLEANUP -> run(collect);
      case Trigger.Tick tick when role == Role.AUTOSCALE -> run(tick);
      case Trigger.Reconcile reconcile when role == Role.AUTOSCALE -> run(reconcile);
      default -> {
        // A trigger for the other function or another topic.
      }
    }
  }
}
