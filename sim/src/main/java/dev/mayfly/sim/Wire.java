package dev.mayfly.sim;

import dev.mayfly.core.agent.AgentEffect;
import dev.mayfly.core.agent.AgentEvent;
import dev.mayfly.core.model.Key;
import dev.mayfly.sim.fake.Dice;
import dev.mayfly.sim.fake.Fault;
import dev.mayfly.sim.fake.Scope;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** One machine's network between its agent and the control plane. */
final class Wire {
  private final World world;
  private final String worker;
  private final Dice dice;
  private boolean cut;

  /** The instance that took its newest call. */
  private Optional<Instance> taker = Optional.empty();

  Wire(World world, String worker, String host) {
    this.world = world;
    this.worker = worker;
    dice = world.dice().of("wire " + worker + host);
  }

  /** From now on nothing gets through, or everything again. */
  void cut(boolean now) {
    cut = now;
  }

  boolean cut() {
    return cut;
  }

  /** Makes the call and tells how it ended, once or, as wires do, with an answer too many. */
  void call(AgentEffect.Sync sync, Scope agent, Consumer<AgentEvent> events) {
    var open = new boolean[] {true};
    Consumer<AgentEvent> end =
        event -> {
          if (!open[0] && !(event instanceof AgentEvent.OrdersCame)) return;
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
              if (open[0]) inVain(sync);
              end.accept(new AgentEvent.SyncFailed(seq, "no answer within " + sync.limit()));
            });
    if (cut || world.weather().strikes(Fault.SYNC_REQUEST_LOST)) {
      world.truth().troubled(worker);
      return;
    }
    send(sync, agent, end);
    if (world.weather().strikes(Fault.SYNC_DUPLICATE)) send(sync, agent, end);
  }

  private void send(AgentEffect.Sync sync, Scope agent, Consumer<AgentEvent> end) {
    var seq = sync.report().seq();
    Runnable broken =
        () ->
            world
                .time()
                .after(
                    dice.millis(1, 30),
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
   * An instance that stands still before it has written anything of the cluster is known to nobody,
   * and nobody can know that it keeps this call (decision 63).
   */
  private void inVain(AgentEffect.Sync sync) {
    var report = sync.report();
    world.trace().add(worker + " waited in vain for " + report.seq());
    taker
        .map(i -> new Key.OfBeats(report.cluster(), i.name()))
        .filter(key -> world.truth().ledger().truly(key).isEmpty())
        .ifPresent(unknown -> world.truth().troubled(worker));
  }

  private void reply(
      dev.mayfly.core.model.SyncOrders orders, Scope agent, Consumer<AgentEvent> end) {
    if (cut || world.weather().strikes(Fault.SYNC_REPLY_LOST)) {
      world.truth().troubled(worker);
      return;
    }
    world.time().after(latency(), agent, () -> end.accept(new AgentEvent.OrdersCame(orders)));
  }

  private Duration latency() {
    if (!world.weather().strikes(Fault.SYNC_LATE)) return dice.millis(1, 15);
    world.truth().troubled(worker);
    return world.weather().dice(Fault.SYNC_LATE).seconds(1, 30);
  }
}
