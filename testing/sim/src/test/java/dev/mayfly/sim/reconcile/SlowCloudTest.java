package dev.mayfly.sim.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.ScheduledExecutor;
import dev.mayfly.core.reconcile.cleanup.OrphanCollector;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.worker.WorkerTransitions;
import dev.mayfly.sim.engine.SimTime;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A thousand machines on a cloud with calls of a second each. */
class SlowCloudTest {
  private static final int WORKERS = 1_000;
  private static final Duration CALL = Duration.ofSeconds(1);
  private static final Duration MAX_TIME = Duration.ofSeconds(60);

  private final ReconcileFixture b =
      new ReconcileFixture(ReconcileFixture.pool(WORKERS, WORKERS, ReconcileFixture.ZONE));
  private final CallClock clock = new CallClock(b.time);
  private final Context slow =
      new Context(
          b.ledger,
          b.context.bus(),
          b.context.notifications(),
          new SlowFleet(b.fleet, clock),
          b.context.objects(),
          b.context.codec(),
          clock,
          b.schedule,
          b.context.ids(),
          clock,
          Timings.DEFAULT);

  /** A clock that calls advance: parallel calls take as long as the longest. */
  private static final class CallClock implements ScheduledExecutor, InstantSource {
    private final SimTime time;
    private Duration spent = Duration.ZERO;

    CallClock(SimTime time) {
      this.time = time;
    }

    void call() {
      spent = spent.plus(CALL);
    }

    @Override
    public Instant instant() {
      return time.instant().plus(spent);
    }

    @Override
    public void callAt(Instant when, Runnable task) {
      time.callAt(when, task);
    }

    @Override
    public void runAll(List<? extends Runnable> tasks) {
      var begin = spent;
      var longest = begin;
      for (var task : tasks) {
        spent = begin;
        task.run();
        if (spent.compareTo(longest) > 0) longest = spent;
      }
      spent = longest;
    }
  }

  private record SlowFleet(Fleet cloud, CallClock clock) implements Fleet {
    @Override
    public Ordered order(Order order) {
      clock.call();
      return cloud.order(order);
    }

    @Override
    public Optional<Progress> progress(CloudMachine.Name name, String operation) {
      clock.call();
      return cloud.progress(name, operation);
    }

    @Override
    public Optional<CloudMachine> find(CloudMachine.Name name) {
      clock.call();
      return cloud.find(name);
    }

    @Override
    public boolean delete(CloudMachine.Name name) {
      clock.call();
      return cloud.delete(name);
    }

    @Override
    public Inventory list() {
      return cloud.list();
    }

    @Override
    public List<Leftover> leftovers() {
      return cloud.leftovers();
    }

    @Override
    public boolean delete(Leftover leftover) {
      return cloud.delete(leftover);
    }
  }

  private void up() {
    for (var tick = 0; tick < 20 && machines().size() < WORKERS; tick++) b.tick();
    b.tick();
    assertThat(machines()).hasSize(WORKERS);
    machines().forEach(b::makeReady);
  }

  private List<String> machines() {
    return b.machines.machines().stream().map(m -> m.name().name()).toList();
  }

  private void assertAllAreToGo() {
    assertThat(clock.spent).isLessThan(MAX_TIME);
    assertThat(b.machines.list().machines())
        .extracting(CloudMachine::status)
        .doesNotContain(CloudMachine.Status.RUNNING);
  }

  @Test
  void drainedMachinesAreDeletedWithinMinute() {
    up();
    b.changes.down("lab", b.time.instant());
    b.tick();
    for (var name : machines())
      b.change(name, w -> w.with(new WorkerState.Drained(b.time.instant(), "down")));

    assertThat(ReconcileFixture.rounds(slow).tick().problems()).isEmpty();

    assertAllAreToGo();
  }

  @Test
  void bootingMachinesAreDeletedInTwoTicks() {
    for (var tick = 0; tick < 20 && machines().size() < WORKERS; tick++) b.tick();
    b.changes.down("lab", b.time.instant());
    b.time.advance(Timings.DEFAULT.bootDeadline());
    var reconcileLoop = ReconcileFixture.rounds(slow);

    assertThat(reconcileLoop.tick().problems()).isEmpty();
    var first = clock.spent;
    b.time.advance(Duration.ofMinutes(1));
    assertThat(reconcileLoop.tick().problems()).isEmpty();

    assertThat(first).isLessThan(MAX_TIME.multipliedBy(2));
    assertThat(b.machines.list().machines())
        .extracting(CloudMachine::status)
        .doesNotContain(CloudMachine.Status.RUNNING);
  }

  @Test
  void cleanupDeletesOrphansWithinMinute() {
    up();
    for (var name : machines())
      b.ledger.commit(List.of(new LedgerWrite.Delete(new DocumentKey.OfWorker(b.uid, name))));
    b.time.advance(Timings.DEFAULT.orphanGrace());

    assertThat(new OrphanCollector(slow, new WorkerTransitions(slow)).collect()).isEmpty();

    assertAllAreToGo();
  }
}
