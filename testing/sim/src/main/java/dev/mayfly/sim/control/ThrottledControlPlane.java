package dev.mayfly.sim.control;

import dev.mayfly.core.control.ControlPlane;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.reconcile.MachineEvent;
import dev.mayfly.core.reconcile.ReconcileResult;
import dev.mayfly.core.state.Context;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The control plane as Cloud Run runs it: syncs and events go to different functions, and none has
 * a CPU while it has no open call.
 */
public final class ThrottledControlPlane implements ControlPlaneEntry {
  private static final Duration VIGIL = Duration.ofSeconds(58);

  private final CpuThrottle ofSyncs;
  private final CpuThrottle ofEvents;
  private final ControlPlane workers;
  private final ControlPlane others;

  public ThrottledControlPlane(Context context, String instance) {
    var url = "https://workers.example";
    ofSyncs = new CpuThrottle(context.executor(), context.clock());
    ofEvents = new CpuThrottle(context.executor(), context.clock());
    workers = new ControlPlane(context.with(ofSyncs.executor()), instance, url);
    others =
        new ControlPlane(
            context.with(ofEvents.executor()), instance + "t", url, Optional.of(this::keep));
  }

  private void keep(List<String> clusters) {
    for (var cluster : clusters) {
      ofSyncs.opened();
      workers.syncService().watch(cluster, VIGIL, ofSyncs::closed);
    }
  }

  @Override
  public void sync(SyncReport report, Consumer<SyncOrders> reply) {
    ofSyncs.opened();
    var answered = false;
    try {
      workers
          .syncService()
          .sync(
              report,
              orders -> {
                ofSyncs.closed();
                reply.accept(orders);
              });
      answered = true;
    } finally {
      if (!answered) ofSyncs.closed();
    }
  }

  private void event(Runnable work) {
    ofEvents.opened();
    try (var _ = others.flushOnClose()) {
      work.run();
    } finally {
      ofEvents.closed();
    }
  }

  @Override
  public void receive(UserMessage userMessage) {
    event(() -> others.commandHandler().handle(userMessage));
  }

  @Override
  public void receive(MachineEvent event) {
    event(() -> others.vmEvents().handle(event));
  }

  /** The call stays open while work is left for later. */
  @Override
  public ReconcileResult receive(Trigger trigger) {
    ofEvents.opened();
    return look(() -> others.handle(trigger));
  }

  @Override
  public ReconcileResult resume(ReconcileResult.Later later) {
    return look(() -> others.resume(later));
  }

  private ReconcileResult look(Supplier<ReconcileResult> work) {
    var goesOn = false;
    try (var _ = others.flushOnClose()) {
      var reconcileResult = work.get();
      goesOn = reconcileResult.later().isPresent();
      return reconcileResult;
    } finally {
      if (!goesOn) ofEvents.closed();
    }
  }

  @Override
  public void passOn(ReconcileResult.Later later) {
    try {
      others.passOn(later);
    } finally {
      ofEvents.closed();
    }
  }
}
