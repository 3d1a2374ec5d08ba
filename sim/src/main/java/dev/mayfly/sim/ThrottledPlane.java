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
import dev.mayfly.sim.fake.CallTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The control plane as Cloud Run runs it: syncs and events come to different functions, and none of
 * them has a processor while it has no call.
 */
final class ThrottledPlane implements ControlPlane {
  private static final Duration VIGIL = Duration.ofSeconds(58);

  private final CallTime ofSyncs;
  private final CallTime ofEvents;
  private final Control workers;
  private final Control others;

  ThrottledPlane(Ports ports, String instance) {
    var url = "https://workers.example";
    ofSyncs = new CallTime(ports.alarms(), ports.clock());
    ofEvents = new CallTime(ports.alarms(), ports.clock());
    workers = new Control(on(ports, ofSyncs), Rules.DEFAULT, instance, url);
    others =
        new Control(
            on(ports, ofEvents), Rules.DEFAULT, instance + "t", url, Optional.of(this::keep));
  }

  private static Ports on(Ports ports, CallTime calls) {
    return new Ports(
        ports.ledger(),
        ports.bus(),
        ports.fleet(),
        ports.objects(),
        ports.codec(),
        calls.alarms(),
        ports.schedule(),
        ports.ids(),
        ports.clock());
  }

  private void keep(List<String> clusters) {
    for (var cluster : clusters) {
      ofSyncs.opened();
      workers.desk().watchOver(cluster, VIGIL, ofSyncs::closed);
    }
  }

  @Override
  public void sync(SyncReport report, Consumer<SyncOrders> reply) {
    ofSyncs.opened();
    var answered = false;
    try {
      workers
          .desk()
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
    try (var _ = others.call()) {
      work.run();
    } finally {
      ofEvents.closed();
    }
  }

  @Override
  public void receive(Message message) {
    event(() -> others.intake().receive(message));
  }

  @Override
  public void receive(MachineEvent event) {
    event(() -> others.vmEvents().take(event));
  }

  /** The call is open as long as something is left for later. */
  @Override
  public Looked receive(Hint hint) {
    ofEvents.opened();
    return look(() -> others.look(hint));
  }

  @Override
  public Looked resume(Looked.Later later) {
    return look(() -> others.resume(later));
  }

  private Looked look(Supplier<Looked> work) {
    var goesOn = false;
    try (var _ = others.call()) {
      var looked = work.get();
      goesOn = looked.later().isPresent();
      return looked;
    } finally {
      if (!goesOn) ofEvents.closed();
    }
  }

  @Override
  public void passOn(Looked.Later later) {
    try {
      others.passOn(later);
    } finally {
      ofEvents.closed();
    }
  }
}
