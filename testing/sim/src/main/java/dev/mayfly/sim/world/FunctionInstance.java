package dev.mayfly.sim.world;

import dev.mayfly.core.error.ErrorStatus;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.reconcile.ReconcileResult;
import dev.mayfly.core.state.Context;
import dev.mayfly.sim.control.ControlPlaneEntry;
import dev.mayfly.sim.engine.SimProcess;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.engine.SimulatedCrash;
import dev.mayfly.sim.fake.HookedFleet;
import dev.mayfly.sim.fake.HookedLedger;
import dev.mayfly.sim.fake.HookedNotificationTopic;
import dev.mayfly.sim.fake.HookedObjectStore;
import dev.mayfly.sim.fake.HookedTriggerBus;
import dev.mayfly.sim.fake.SimIdGenerator;
import dev.mayfly.sim.fake.UsageCounter;
import dev.mayfly.sim.observation.InvariantViolation;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** One function instance: the use cases over its own context, until it dies. */
public final class FunctionInstance {
  private static final Duration ACK_DEADLINE = Duration.ofSeconds(60);

  /** How long a call continues with reconciles that others request meanwhile. */
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final World world;
  private final SimProcess simProcess;
  private final SimRandom simRandom;
  private final ControlPlaneEntry plane;
  private final Set<Runnable> connections = new LinkedHashSet<>();

  /**
   * @param old whether it has the previous version
   */
  FunctionInstance(World world, String name, boolean old, ControlPlaneEntry.Maker maker) {
    this.world = world;
    simProcess = new SimProcess(name, this::failed);
    simRandom = world.dice().of("instance " + name);
    world.overlaps().begin(simProcess);
    var hook = new InstanceHook(world, simProcess);
    plane =
        maker.make(
            new Context(
                new HookedLedger(
                    world.ledger(), simProcess, hook, new LedgerFaults(world, old), world.tally()),
                new HookedTriggerBus(world.bus(), hook),
                new HookedNotificationTopic(world.notifications(), hook),
                new HookedFleet(world.fleet(), hook),
                new HookedObjectStore(world.objects(), hook),
                world.codec(),
                world.time().executor(simProcess),
                world.schedule().hooked(hook),
                new SimIdGenerator(world.dice().of("ids " + name)),
                world.time(),
                Timings.DEFAULT),
            name);
  }

  boolean alive() {
    return simProcess.alive();
  }

  String name() {
    return simProcess.name();
  }

  void kill() {
    simProcess.kill();
    closed();
  }

  private void failed(SimProcess dead, Throwable thrown) {
    world.trace().add(dead + " threw " + thrown);
    if (thrown instanceof SimulatedCrash) {
      closed();
      world.gateway().died(this);
    } else if (!(thrown instanceof MayflyException)) throw new InvariantViolation("I0", thrown);
  }

  /** Freezes it until {@link #resume}, which runs all held-back events at once. */
  void freeze() {
    world.trace().add(name() + " stands still");
    simProcess.freeze();
  }

  boolean frozen() {
    return simProcess.frozen();
  }

  void resume() {
    if (!alive()) return;
    world.trace().add(name() + " resumes");
    simProcess.resume();
  }

  /** The number of its open calls. */
  public int calls() {
    return connections.size();
  }

  private void busy() {
    world.tally().busy(name(), !connections.isEmpty());
  }

  /** Breaks all of its open calls. */
  private void closed() {
    var broken = List.copyOf(connections);
    connections.clear();
    busy();
    broken.forEach(Runnable::run);
  }

  /**
   * One sync of an agent.
   *
   * @param broken runs when no reply can come any more
   */
  public void sync(SyncReport report, Consumer<SyncOrders> reply, Runnable broken) {
    connections.add(broken);
    world.tally().add(UsageCounter.Kind.SYNCED, 1);
    busy();
    world
        .time()
        .after(
            Duration.ofMillis(1),
            simProcess,
            () -> {
              world
                  .trace()
                  .add(() -> simProcess + " hears " + report.worker() + " " + report.seq());
              world.truth().handledReport(Optional.of(report));
              try {
                plane.sync(
                    world.bugs().incomingReport(report, world),
                    orders -> {
                      connections.remove(broken);
                      busy();
                      world
                          .trace()
                          .add(() ->
                              simProcess + " answers " + report.worker() + " " + report.seq());
                      reply.accept(orders);
                    });
              } catch (MayflyException refused) {
                world
                    .trace()
                    .add(simProcess + " refused " + report.worker() + ": " + refused.getMessage());
                connections.remove(broken);
                busy();
                broken.run();
              } finally {
                world.truth().handledReport(Optional.empty());
              }
            });
  }

  /** Handles a failure as the real entry points do, by the same table. */
  private void failed(RuntimeException failure, boolean[] settled, Runnable nack) {
    var errorStatus = ErrorStatus.of(failure);
    if (errorStatus == ErrorStatus.BUG) throw failure;
    world.trace().add("%s: %s: %s".formatted(simProcess, errorStatus, failure.getMessage()));
    if (errorStatus.redeliver()) world.time().after(simRandom.seconds(5, 20), nack);
    else settled[0] = true;
  }

  /** Handles a delivery: it is acknowledged or redelivered. */
  void deliver(InstanceRouter.Delivery delivery, Runnable again) {
    var settled = new boolean[1];
    Runnable nack =
        () -> {
          if (settled[0]) return;
          settled[0] = true;
          world.trace().seen("redelivered");
          again.run();
        };
    if (world.bugs().acknowledgesFirst()) settled[0] = true;
    world.time().after(ACK_DEADLINE, nack);
    var call = new Call(delivery.function(), settled, nack);
    world
        .time()
        .after(
            Duration.ofMillis(1),
            simProcess,
            () -> {
              world.trace().add(simProcess + " takes " + delivery.what());
              runReconcile(delivery.work(), world.time().instant().plus(LONGEST), call);
            });
  }

  /** A call started by a message. */
  private record Call(String function, boolean[] settled, Runnable nack) {}

  /** As in the real entry point, work left for later runs inside the call. */
  private void runReconcile(
      Function<ControlPlaneEntry, ReconcileResult> work, Instant due, Call call) {
    var until = world.time().instant().plus(UsageCounter.lasts(call.function));
    world.tally().open(call.function, name(), until);
    try {
      var reconcileResult = work.apply(plane);
      reconcileResult.problems().forEach(t -> world.trace().add("trouble: " + t));
      if (reconcileResult.later().isEmpty()) call.settled[0] = true;
      else goOn(reconcileResult.later().get(), due, call);
    } catch (RuntimeException failure) {
      failed(failure, call.settled, call.nack);
    }
  }

  private void goOn(ReconcileResult.Later later, Instant due, Call call) {
    if (later.at().isAfter(due)) {
      plane.passOn(later);
      call.settled[0] = true;
      return;
    }
    world.tally().open(call.function, name(), later.at());
    world.time().at(later.at(), simProcess, () -> runReconcile(p -> p.resume(later), due, call));
  }
}
