package dev.mayfly.sim;

import dev.mayfly.core.control.Control;
import dev.mayfly.core.control.Looked;
import dev.mayfly.core.control.MachineEvent;
import dev.mayfly.core.control.Ports;
import dev.mayfly.core.control.Rules;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The control plane as it is deployed: ticks and syncs are different functions, and a tick that
 * finds somebody silent asks the function {@code workers} to judge. That function alone may be
 * away.
 */
final class SplitPlane implements ControlPlane {
  private final AtomicBoolean away;
  private final Control workers;
  private final Control others;

  SplitPlane(Ports ports, String instance, AtomicBoolean away) {
    this.away = away;
    var url = "https://workers.example";
    workers = new Control(ports, Rules.DEFAULT, instance, url);
    others = new Control(ports, Rules.DEFAULT, instance + "t", url, Optional.of(this::keep));
  }

  private void keep(List<String> clusters) {
    serve();
    for (var cluster : clusters)
      workers.desk().watchOver(cluster, Duration.ofSeconds(58), () -> {});
  }

  private void serve() {
    if (away.get()) throw new Unavailable("the function workers does not answer");
  }

  @Override
  public void sync(SyncReport report, Consumer<SyncOrders> reply) {
    serve();
    workers.desk().sync(report, reply);
  }

  @Override
  public void receive(Message message) {
    others.intake().receive(message);
  }

  @Override
  public void receive(MachineEvent event) {
    others.vmEvents().take(event);
  }

  @Override
  public Looked receive(Hint hint) {
    return others.look(hint);
  }

  @Override
  public Looked resume(Looked.Later later) {
    return others.resume(later);
  }

  @Override
  public void passOn(Looked.Later later) {
    others.passOn(later);
  }
}
