package dev.mayfly.core.control;

import dev.mayfly.core.gang.GangEvent;
import dev.mayfly.core.gang.GangLifecycle;
import dev.mayfly.core.lease.Shards;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.GangOrder;
import dev.mayfly.core.model.GangRun;
import dev.mayfly.core.model.GangTimes;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.HostId;
import dev.mayfly.core.model.HostReport;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Bus;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * Moves the runs of gangs on (decision 13). Every change of one is a conditional write of its
 * shard; whoever loses reads again.
 *
 * <p>A run that ended is stored as such first; then, in one batch, its shard goes back and its
 * workers are free. If that batch is not written, the next sync or round of any of them writes it.
 */
final class Gangs {
  private static final int TRIES = 8;

  private final Ledger ledger;
  private final Bus bus;
  private final InstantSource clock;
  private final Endings endings;
  private final GangLifecycle table = new GangLifecycle(GangTimes.DEFAULT);

  Gangs(Ledger ledger, Bus bus, InstantSource clock) {
    this.ledger = ledger;
    this.bus = bus;
    this.clock = clock;
    endings = new Endings(ledger, bus, clock);
  }

  /** What became of events. */
  sealed interface Told {
    /** The run after them. */
    record Run(GangRun run) implements Told {}

    /** Somebody else changed the shard meanwhile: they are to be told again. */
    record Conflict() implements Told {}

    /** The lease is over. */
    record Over() implements Told {}
  }

  /**
   * What hosts say of one lease's run, all of it at once.
   *
   * @param running whether the lease's job still runs
   */
  Told heard(String cluster, LeaseRef lease, Collection<HostReport> reports, boolean running) {
    return tellOnce(
        cluster,
        lease,
        (before, now) -> {
          var events = passed(before, running, now);
          reports.forEach(r -> events.add(new GangEvent.Reported(now, r)));
          return events;
        });
  }

  private List<GangEvent> passed(GangRun run, boolean running, Instant now) {
    var events = new ArrayList<GangEvent>();
    events.add(table.passed(run, now));
    if (!running) events.add(new GangEvent.StopAsked(now, Cause.STOPPED, "stopped"));
    return events;
  }

  /**
   * What a round knows of a worker's gangs. Its answer is why the worker is to be given up, if one
   * of its hosts missed a deadline or has a bad device.
   */
  Optional<String> look(Worker worker, Predicate<String> running) {
    var bad = Optional.<String>empty();
    for (var held : worker.held()) {
      if (!held.gang()) continue;
      var run =
          tell(
              worker.cluster(),
              held.ref(),
              (before, now) -> {
                var events = passed(before, running.test(held.job()), now);
                events.addAll(lost(worker, before, now));
                return events;
              });
      if (bad.isEmpty()) bad = run.flatMap(r -> bad(worker, r));
    }
    return bad;
  }

  private static Optional<String> bad(Worker worker, GangRun run) {
    return run.bad().stream()
        .filter(m -> m.host().worker().equals(worker.name()))
        .findFirst()
        .map(m -> "host " + m.host().index() + ": " + m.bad().orElse(""));
  }

  private static List<GangEvent> lost(Worker worker, GangRun run, Instant now) {
    if (!(worker.state() instanceof WorkerState.Lost lost)) return List.of();
    return hosts(worker, run).stream()
        .<GangEvent>map(h -> new GangEvent.HostLost(now, h, lost.cause(), lost.reason()))
        .toList();
  }

  /** The worker's machine is proved gone: nothing of any run is left on its hosts. */
  void gone(Worker worker) {
    for (var held : worker.held())
      if (held.gang())
        tell(
            worker.cluster(),
            held.ref(),
            (run, now) -> {
              var events = new ArrayList<>(lost(worker, run, now));
              hosts(worker, run).forEach(h -> events.add(new GangEvent.HostGone(now, h)));
              return events;
            });
  }

  private static List<HostId> hosts(Worker worker, GangRun run) {
    return run.members().stream()
        .map(m -> m.host())
        .filter(h -> h.worker().equals(worker.name()))
        .toList();
  }

  /** What a host of the worker is to do in each of its gangs. */
  List<GangOrder> orders(Worker worker, SyncReport report) {
    var keys =
        worker.held().stream()
            .filter(Worker.Held::gang)
            .map(h -> new Key.OfShard(worker.cluster(), h.job(), h.start()))
            .toList();
    if (keys.isEmpty()) return List.of();
    var found = ledger.readAll(keys);
    var orders = new ArrayList<GangOrder>();
    for (var stored : found.some()) {
      var shard = stored.value();
      if (worker.held().stream().anyMatch(h -> h.ref().equals(shard.lease())))
        shard.gang().flatMap(run -> run.order(report.speaker())).ifPresent(orders::add);
    }
    for (var unknown : found.unreadable())
      for (var said : report.gang())
        if (shard(worker, said.lease()).path().equals(unknown.path())) orders.add(nothing(said));
    return orders;
  }

  private static Key.OfShard shard(Worker worker, LeaseRef lease) {
    return new Key.OfShard(worker.cluster(), lease.job(), lease.start());
  }

  /** The order of a host about whose run nothing can be known now. */
  static GangOrder nothing(HostReport said) {
    return new GangOrder(
        said.lease(), said.run(), GangOrder.Step.NOTHING, 0, List.of(said.address()));
  }

  /** The run after the events; empty if the lease is over. */
  private Optional<GangRun> tell(
      String cluster, LeaseRef lease, BiFunction<GangRun, Instant, List<GangEvent>> events) {
    for (var tries = 0; tries < TRIES; tries++)
      switch (tellOnce(cluster, lease, events)) {
        case Told.Run told -> {
          return Optional.of(told.run());
        }
        case Told.Over _ -> {
          return Optional.empty();
        }
        case Told.Conflict _ -> {}
      }
    // Others moved it on all the time; the next look says the same again.
    return Optional.empty();
  }

  private Told tellOnce(
      String cluster, LeaseRef lease, BiFunction<GangRun, Instant, List<GangEvent>> events) {
    var stored = ledger.read(new Key.OfShard(cluster, lease.job(), lease.start()));
    if (stored.isEmpty() || !stored.get().value().lease().equals(lease)) return new Told.Over();
    var before = stored.get().value().gang();
    if (before.isEmpty()) return new Told.Over();
    var next = before.get();
    for (var event : events.apply(next, clock.instant())) next = table.on(next, event);
    var after = next.equals(before.get()) ? stored : move(stored.get(), before.get(), next);
    if (after.isEmpty()) return new Told.Conflict();
    if (next.phase().ended()) disband(after.get());
    return new Told.Run(next);
  }

  private Optional<Stored<Shard>> move(Stored<Shard> stored, GangRun before, GangRun next) {
    var shard = Shards.moved(stored.value(), next);
    var writes = new ArrayList<Write>();
    writes.add(new Write.Update(shard, stored.version()));
    if (!next.phase().getClass().equals(before.phase().getClass()))
      writes.add(new Write.Notify(shard.cluster(), clock.instant(), false, next.workers()));
    if (!(ledger.commit(writes) instanceof Committed.Done done)) return Optional.empty();
    if (next.bad().size() > before.bad().size()) Hints.send(bus, look(shard, next));
    return Optional.of(new Stored<>(shard, done.versions().getFirst()));
  }

  /** All or nothing; what somebody else changes meanwhile is left to the next look. */
  private void disband(Stored<Shard> stored) {
    var was = stored.value();
    var now = clock.instant();
    var job = ledger.read(new Key.OfJob(was.cluster(), was.job()));
    if (job.isEmpty()) return;
    var shard = Shards.disband(was, job.get().value().spec().retries(), now);
    var workers = was.gang().orElseThrow().workers();
    var writes = new ArrayList<Write>();
    writes.add(new Write.Update(shard, stored.version()));
    var keys = workers.stream().map(w -> new Key.OfWorker(was.cluster(), w)).toList();
    for (var worker : ledger.readAll(keys).complete())
      if (worker.value().held().stream().anyMatch(h -> h.ref().equals(was.lease())))
        writes.add(new Write.Update(without(worker.value(), was.lease(), now), worker.version()));
    var work = shard.state() == Shard.State.READY;
    writes.add(new Write.Notify(was.cluster(), now, work, workers));
    if (!ledger.commit(writes).done()) return;
    endings.settle(job.get().value().key());
    Hints.send(bus, look(was, was.gang().orElseThrow()));
  }

  private static Hint look(Shard shard, GangRun run) {
    return new Hint.Look(shard.cluster(), run.workers(), List.of(shard.job()));
  }

  private static Worker without(Worker worker, LeaseRef lease, Instant now) {
    var left = worker.held().stream().filter(h -> !h.ref().equals(lease)).toList();
    var next = worker.holding(left);
    return left.isEmpty() && worker.state() instanceof WorkerState.Ready ready
        ? next.with(new WorkerState.Ready(ready.since(), Optional.of(now)))
        : next;
  }
}
