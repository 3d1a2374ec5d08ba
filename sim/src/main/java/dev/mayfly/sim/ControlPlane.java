package dev.mayfly.sim;

import dev.mayfly.core.control.Looked;
import dev.mayfly.core.control.MachineEvent;
import dev.mayfly.core.control.Ports;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import java.util.function.Consumer;

/** All use cases of one function instance, as the triggers of the real functions call them. */
interface ControlPlane {
  void sync(SyncReport report, Consumer<SyncOrders> reply);

  void receive(Message message);

  Looked receive(Hint hint);

  /** Goes on inside the call that received it. */
  Looked resume(Looked.Later later);

  /** The call ends before it could. */
  void passOn(Looked.Later later);

  /** An entry of the cloud's audit log. */
  void receive(MachineEvent event);

  /** Makes a function instance of its ports. */
  interface Maker {
    /**
     * @param instance a name that no other instance has or had
     */
    ControlPlane make(Ports ports, String instance);
  }
}
