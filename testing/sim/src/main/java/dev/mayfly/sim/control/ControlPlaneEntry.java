package dev.mayfly.sim.control;

import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.reconcile.MachineEvent;
import dev.mayfly.core.reconcile.ReconcileResult;
import dev.mayfly.core.state.Context;
import java.util.function.Consumer;

/** All use cases of one function instance, as the triggers of the real functions call them. */
public interface ControlPlaneEntry {
  void sync(SyncReport report, Consumer<SyncOrders> reply);

  void receive(UserMessage userMessage);

  ReconcileResult receive(Trigger trigger);

  /** Continues inside the call that received the trigger. */
  ReconcileResult resume(ReconcileResult.Later later);

  /** The call ends before {@link #resume}: another call takes over. */
  void passOn(ReconcileResult.Later later);

  /** Receives an entry of the cloud's audit log. */
  void receive(MachineEvent event);

  /** Creates a function instance from its context. */
  interface Maker {
    /**
     * @param instance a name unique among all instances ever
     */
    ControlPlaneEntry make(Context context, String instance);
  }
}
