package dev.mayfly.sim;

import dev.mayfly.core.control.Control;
import dev.mayfly.core.control.Looked;
import dev.mayfly.core.control.MachineEvent;
import dev.mayfly.core.control.Ports;
import dev.mayfly.core.control.Rules;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import java.util.function.Consumer;

/** The real use cases. */
final class CorePlane implements ControlPlane {
  private final Control control;

  CorePlane(Ports ports, String instance) {
    this(ports, Rules.DEFAULT, instance);
  }

  CorePlane(Ports ports, Rules rules, String instance) {
    control = new Control(ports, rules, instance, "https://workers.example");
  }

  @Override
  public void sync(SyncReport report, Consumer<SyncOrders> reply) {
    control.desk().sync(report, reply);
  }

  @Override
  public void receive(Message message) {
    control.intake().receive(message);
  }

  @Override
  public void receive(MachineEvent event) {
    control.vmEvents().take(event);
  }

  @Override
  public Looked receive(Hint hint) {
    return control.look(hint);
  }

  @Override
  public Looked resume(Looked.Later later) {
    return control.resume(later);
  }

  @Override
  public void passOn(Looked.Later later) {
    control.passOn(later);
  }
}
