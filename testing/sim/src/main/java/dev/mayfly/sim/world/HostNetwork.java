package dev.mayfly.sim.world;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.sim.engine.SimProcess;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.fault.Fault;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** The network between one machine's agent and the control plane. */
final class HostNetwork {
  private final World world;
  private final String worker;
  private final SimRandom simRandom;
  private boolean cut;

  /** The instance that received the newest sync. */
  private Optional<FunctionInstance> taker = Optional.empty();

  HostNetwork(World world, String worker, String host) {
    this.world = world;
    this.worker = worker;
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
                        taker = Optional.of(i);
                        i.sync(sync.report(), orders -> reply(orders, agent, end), broken);
                      },
                      broken);
            });
  }

  /**
   * An instance that stalls before it has written anything of the cluster, or so long after it that
   * it counts as gone, is unknown to the others, which cannot know that it holds this sync
   * (decision 63).
   */
  private void recordUnanswerable(AgentEffect.Sync sync) {
    var report = sync.report();
    world.trace().add(worker + " waited in vain for " + report.seq());
    taker
        .map(i -> new DocumentKey.OfHeartbeats(report.cluster(), i.name()))
        .filter(this::isUnknown)
        .ifPresent(unknown -> world.truth().troubled(worker));
  }

  private boolean isUnknown(DocumentKey.OfHeartbeats instance) {
    var gone = world.truth().now().minus(Timings.DEFAULT.instanceGone());
    return world
        .truth()
        .ledger()
        .readSpoiled(instance)
        .filter(it -> it.value().writtenAt().isAfter(gone))
        .isEmpty();
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
