package dev.mayfly.sim.world;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.sim.engine.SimProcess;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.fault.Fault;
import java.time.Duration;
import java.util.function.Consumer;

/** The network between one machine's agent and the control plane. */
final class HostNetwork {
  private final World world;
  private final String worker;
  private final String host;
  private final SimRandom simRandom;
  private boolean cut;

  HostNetwork(World world, String worker, String host) {
    this.world = world;
    this.worker = worker;
    this.host = worker + host;
    simRandom = world.dice().of("wire " + worker + host);
  }

  /** Cuts the network, or restores it. */
  void cut(boolean now) {
    cut = now;
  }

  boolean cut() {
    return cut;
  }

  /** Makes the call and reports its end once, or twice as networks may. */
  void sync(AgentEffect.Sync sync, SimProcess agent, Consumer<AgentEvent> events) {
    var open = new boolean[] {true};
    Consumer<AgentEvent> end =
        event -> {
          if (!open[0] && !(event instanceof AgentEvent.OrdersReceived)) return;
          if (open[0]) world.truth().ended(host, sync.report().seq());
          open[0] = false;
          events.accept(event);
        };
    var seq = sync.report().seq();
    world
        .time()
        .after(
            sync.limit(),
            agent,
            () -> {
              if (open[0]) recordUnanswerable(sync);
              end.accept(new AgentEvent.SyncFailed(seq, "no answer within " + sync.limit()));
            });
    if (cut || world.weather().strikes(Fault.SYNC_REQUEST_LOST)) {
      world.truth().troubled(worker);
      return;
    }
    send(sync, agent, end);
    if (world.weather().strikes(Fault.SYNC_DUPLICATE)) send(sync, agent, end);
  }

  private void send(AgentEffect.Sync sync, SimProcess agent, Consumer<AgentEvent> end) {
    var seq = sync.report().seq();
    Runnable broken =
        () ->
            world
                .time()
                .after(
                    simRandom.millis(1, 30),
                    agent,
                    () -> end.accept(new AgentEvent.SyncFailed(seq, "the connection broke")));
    world
        .time()
        .after(
            latency(),
            () -> {
              if (cut) return;
              world
                  .gateway()
                  .any()
                  .ifPresentOrElse(
                      i -> {
                        var taker = new DocumentKey.OfHeartbeats(sync.report().cluster(), i.name());
                        world.truth().taken(host, seq, taker);
                        i.sync(sync.report(), orders -> reply(orders, agent, end), broken);
                      },
                      broken);
            });
  }

  private void recordUnanswerable(AgentEffect.Sync sync) {
    world.trace().add(worker + " waited in vain for " + sync.report().seq());
    if (world.truth().unanswerable(worker)) world.truth().troubled(worker);
  }

  private void reply(
      dev.mayfly.core.model.sync.SyncOrders orders, SimProcess agent, Consumer<AgentEvent> end) {
    if (cut || world.weather().strikes(Fault.SYNC_REPLY_LOST)) {
      world.truth().troubled(worker);
      return;
    }
    world.time().after(latency(), agent, () -> end.accept(new AgentEvent.OrdersReceived(orders)));
  }

  private Duration latency() {
    if (!world.weather().strikes(Fault.SYNC_LATE)) return simRandom.millis(1, 15);
    world.truth().troubled(worker);
    return world.weather().dice(Fault.SYNC_LATE).seconds(1, 30);
  }
}
