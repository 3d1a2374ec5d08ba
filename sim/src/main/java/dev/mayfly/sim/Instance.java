package dev.mayfly.sim;

import dev.mayfly.core.control.Looked;
import dev.mayfly.core.control.Ports;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.Verdict;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.sim.check.Violation;
import dev.mayfly.sim.fake.Crash;
import dev.mayfly.sim.fake.Dice;
import dev.mayfly.sim.fake.HookedBus;
import dev.mayfly.sim.fake.HookedFleet;
import dev.mayfly.sim.fake.HookedLedger;
import dev.mayfly.sim.fake.HookedObjects;
import dev.mayfly.sim.fake.Scope;
import dev.mayfly.sim.fake.SimIds;
import dev.mayfly.sim.fake.Tally;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** One function instance: the use cases over ports of its own, until it dies. */
final class Instance {
  private static final Duration ACK_DEADLINE = Duration.ofSeconds(60);

  /** For how long a call goes on with rounds that others ask for meanwhile. */
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final World world;
  private final Scope scope;
  private final Dice dice;
  private final ControlPlane plane;
  private final Set<Runnable> connections = new LinkedHashSet<>();

  /**
   * @param old whether it is of the version before
   */
  Instance(World world, String name, boolean old, ControlPlane.Maker maker) {
    this.world = world;
    scope = new Scope(name, this::failed);
    dice = world.dice().of("instance " + name);
    world.overlaps().begin(scope);
    var hook = new InstanceHook(world, scope);
    plane =
        maker.make(
            new Ports(
                new HookedLedger(
                    world.ledger(), scope, hook, new LedgerTrouble(world, old), world.tally()),
                new HookedBus(world.bus(), hook),
                new HookedFleet(world.fleet(), hook),
                new HookedObjects(world.objects(), hook),
                world.codec(),
                world.time().alarms(scope),
                world.schedule().hooked(hook),
                new SimIds(world.dice().of("ids " + name)),
                world.time()),
            name);
  }

  boolean alive() {
    return scope.alive();
  }

  String name() {
    return scope.name();
  }

  void kill() {
    scope.kill();
    closed();
  }

  private void failed(Scope dead, Throwable thrown) {
    world.trace().add(dead + " threw " + thrown);
    if (thrown instanceof Crash) {
      closed();
      world.gateway().died(this);
    } else if (!(thrown instanceof MayflyException)) throw new Violation("I0", thrown);
  }

  /** Nothing happens in it until {@link #resume}; then all of it at once. */
  void freeze() {
    world.trace().add(name() + " stands still");
    scope.freeze();
  }

  boolean standsStill() {
    return scope.frozen();
  }

  void resume() {
    if (!alive()) return;
    world.trace().add(name() + " resumes");
    scope.resume();
  }

  /** How many calls it keeps open. */
  int calls() {
    return connections.size();
  }

  private void busy() {
    world.tally().busy(name(), !connections.isEmpty());
  }

  /** Every call that it kept open breaks. */
  private void closed() {
    var broken = List.copyOf(connections);
    connections.clear();
    busy();
    broken.forEach(Runnable::run);
  }

  /**
   * One call of an agent.
   *
   * @param broken is run when no answer can come any more
   */
  void sync(SyncReport report, Consumer<SyncOrders> reply, Runnable broken) {
    connections.add(broken);
    world.tally().add(Tally.Kind.SYNCED, 1);
    busy();
    world
        .time()
        .after(
            Duration.ofMillis(1),
            scope,
            () -> {
              world.trace().add(scope + " hears " + report.worker() + " " + report.seq());
              world.truth().hearing(Optional.of(report));
              try {
                plane.sync(
                    world.bugs().heard(report, world),
                    orders -> {
                      connections.remove(broken);
                      busy();
                      world.trace().add(scope + " answers " + report.worker() + " " + report.seq());
                      reply.accept(orders);
                    });
              } catch (MayflyException refused) {
                world
                    .trace()
                    .add(scope + " refused " + report.worker() + ": " + refused.getMessage());
                connections.remove(broken);
                busy();
                broken.run();
              } finally {
                world.truth().hearing(Optional.empty());
              }
            });
  }

  /** As the real entry points do, by the same table. */
  private void failed(RuntimeException failure, boolean[] settled, Runnable nack) {
    var verdict = Verdict.of(failure);
    if (verdict == Verdict.BUG) throw failure;
    world.trace().add("%s: %s: %s".formatted(scope, verdict, failure.getMessage()));
    if (verdict.redeliver()) world.time().after(dice.seconds(5, 20), nack);
    else settled[0] = true;
  }

  /** A delivery: it is acknowledged, or comes again. */
  void deliver(Gateway.Delivery delivery, Runnable again) {
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
            scope,
            () -> {
              world.trace().add(scope + " takes " + delivery.what());
              look(delivery.work(), world.time().instant().plus(LONGEST), call);
            });
  }

  /** A call that a message started. */
  private record Call(String function, boolean[] settled, Runnable nack) {}

  /** As the real entry point does: what is left for later happens inside the call. */
  private void look(Function<ControlPlane, Looked> work, Instant due, Call call) {
    world.tally().open(call.function, name(), world.time().instant().plus(Tally.EVENT));
    try {
      var looked = work.apply(plane);
      looked.troubles().forEach(t -> world.trace().add("trouble: " + t));
      if (looked.later().isEmpty()) call.settled[0] = true;
      else goOn(looked.later().get(), due, call);
    } catch (RuntimeException failure) {
      failed(failure, call.settled, call.nack);
    }
  }

  private void goOn(Looked.Later later, Instant due, Call call) {
    if (later.at().isAfter(due)) {
      plane.passOn(later);
      call.settled[0] = true;
      return;
    }
    world.tally().open(call.function, name(), later.at());
    world.time().at(later.at(), scope, () -> look(p -> p.resume(later), due, call));
  }
}
