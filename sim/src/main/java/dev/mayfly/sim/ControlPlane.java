package dev.mayfly.sim;

import dev.mayfly.core.control.MachineEvent;
import dev.mayfly.core.control.Ports;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import java.util.List;
import java.util.function.Consumer;

/** All use cases of one function instance, as the triggers of the real functions call them. */
interface ControlPlane {
  void sync(SyncReport report, Consumer<SyncOrders> reply);

  void receive(Message message);

  /** What went wrong with single things and did not stop the rest. */
  List<String> receive(Hint hint);

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
