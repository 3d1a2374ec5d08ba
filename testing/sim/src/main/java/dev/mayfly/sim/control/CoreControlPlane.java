package dev.mayfly.sim.control;

import dev.mayfly.core.control.ControlPlane;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.reconcile.MachineEvent;
import dev.mayfly.core.reconcile.ReconcileResult;
import dev.mayfly.core.state.Context;
import java.util.function.Consumer;

/** The real use cases. */
public final class CoreControlPlane implements ControlPlaneEntry {
  private final ControlPlane controlPlane;

  public CoreControlPlane(Context context, String instance) {
    controlPlane = new ControlPlane(context, instance, "https://workers.example");
  }

  @Override
  public void sync(SyncReport report, Consumer<SyncOrders> reply) {
    controlPlane.syncService().sync(report, reply);
  }

  @Override
  public void receive(UserMessage userMessage) {
    controlPlane.commandHandler().handle(userMessage);
  }

  @Override
  public void receive(MachineEvent event) {
    controlPlane.vmEvents().handle(event);
  }

  @Override
  public ReconcileResult receive(Trigger trigger) {
    return controlPlane.handle(trigger);
  }

  @Override
  public ReconcileResult resume(ReconcileResult.Later later) {
    return controlPlane.resume(later);
  }

  @Override
  public void passOn(ReconcileResult.Later later) {
    controlPlane.passOn(later);
  }
}
