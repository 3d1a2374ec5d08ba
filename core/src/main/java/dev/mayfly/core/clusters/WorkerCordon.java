package dev.mayfly.core.clusters;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.plan.capacity.Cordons;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.CommandOrder;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.Transactions;
import dev.mayfly.core.state.TriggerSender;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A user cordons a worker, or a pool with all that it has, or ends that. A command older than the
 * newest one about the same thing changes nothing; a repeat finishes what a crash left undone.
 *
 * <p>Each worker says itself that it is cordoned, so that a grant made at the same moment fails.
 */
final class WorkerCordon {
  private static final int MOST_WORKERS = 10_000;

  private final Context context;

  WorkerCordon(Context context) {
    this.context = context;
  }

  /**
   * @param cordon that begins; empty to end the one that holds
   */
  void apply(Cluster cluster, String name, Optional<Cordon> cordon, Instant publishedAt) {
    var pools =
        cluster.spec().pools().stream()
            .map(PoolSpec::name)
            .filter(pool -> PoolSpec.isNamed(name, pool))
            .toList();
    if (context.ledger().read(new DocumentKey.OfWorker(cluster.uid(), name)).isPresent())
      Transactions.retry(
          "worker " + name, () -> changed(cluster.uid(), name, cordon, publishedAt, false));
    else if (!pools.isEmpty()) for (var pool : pools) pool(cluster, pool, cordon, publishedAt);
    else
      throw new UnknownNameException(
          "name",
          "cluster %1$s has no worker and no pool %2$s; mayfly workers -c %1$s lists its workers, mayfly status its pools"
              .formatted(cluster.spec().name(), name));
  }

  /** The cluster first: then no machine comes that is not cordoned with the others. */
  private void pool(Cluster cluster, String pool, Optional<Cordon> cordon, Instant publishedAt) {
    var newest = new boolean[] {true};
    Transactions.retry(
        "cluster " + cluster.spec().name(),
        () -> {
          var stored = context.ledger().read(cluster.key()).orElseThrow();
          var last = Optional.ofNullable(stored.value().cordons().get(pool)).map(Cordon::since);
          newest[0] = CommandOrder.of(last, publishedAt) != CommandOrder.OLD;
          return CommandOrder.of(last, publishedAt) != CommandOrder.NEW
              || stored(stored, pool, cordon, publishedAt);
        });
    if (!newest[0]) return;
    var workers = new LedgerQuery.Workers(cluster.uid(), false, MOST_WORKERS);
    for (var worker : context.ledger().query(workers).readableOnly())
      if (worker.value().pool().equals(pool) && worker.value().state().live())
        Transactions.retry(
            "worker " + worker.value().name(),
            () -> changed(cluster.uid(), worker.value().name(), cordon, publishedAt, true));
    TriggerSender.send(context.bus(), new Trigger.Reconcile(cluster.uid()));
  }

  private boolean stored(
      VersionedDocument<Cluster> stored,
      String pool,
      Optional<Cordon> cordon,
      Instant publishedAt) {
    var was = stored.value();
    var next = cordon.orElseGet(() -> new Cordon(publishedAt, publishedAt, "ended by hand"));
    var what = cordon.isPresent() ? "cordoned" : "uncordoned";
    var why =
        "pool %s: %s"
            .formatted(
                pool, cordon.map(WorkerCordon::words).orElse("its machines take tasks again"));
    var event = context.event(was.uid(), "cluster/" + was.spec().name(), what, why);
    return context
        .ledger()
        .commit(
            List.of(
                new LedgerWrite.Update(was.withCordon(pool, next), stored.version()),
                new LedgerWrite.Put(event)))
        .done();
  }

  private boolean changed(
      String cluster, String name, Optional<Cordon> cordon, Instant publishedAt, boolean withPool) {
    var stored = context.ledger().read(new DocumentKey.OfWorker(cluster, name));
    if (stored.isEmpty()) return true;
    var worker = stored.get().value();
    if (CommandOrder.of(worker.lastCommandAt(), publishedAt) != CommandOrder.NEW) return true;
    if (!worker.state().live()) {
      if (withPool || cordon.isEmpty()) return true;
      throw new InvalidInputException(
          "name", "worker %s ends already; what ends cannot be kept".formatted(name));
    }
    var now = context.clock().instant();
    var holds = Cordons.of(worker, now);
    if (cordon.isEmpty() && holds.filter(it -> !it.since().isAfter(publishedAt)).isEmpty())
      return true;
    // With its pool, one that is kept for longer stays so.
    var longer =
        holds
            .filter(it -> withPool && cordon.isPresent())
            .filter(it -> it.until().isAfter(cordon.orElseThrow().until()));
    var kept = holds.filter(_ -> cordon.isPresent()).flatMap(Cordon::kept);
    var chosen = longer.or(() -> cordon).map(it -> kept.map(it::keeping).orElse(it));
    var next = worker.counted(now).withCordon(chosen).withLastCommandAt(publishedAt);
    var what = cordon.isPresent() ? "cordoned" : "uncordoned";
    var why = next.cordon().map(WorkerCordon::words).orElse("it takes tasks again");
    var event = context.event(cluster, "worker/" + name, what, why);
    var done =
        context
            .ledger()
            .commit(
                List.of(
                    new LedgerWrite.Update(next, stored.get().version()),
                    new LedgerWrite.Put(event),
                    new LedgerWrite.Signal(cluster, now, true, List.of(name))))
            .done();
    if (done && !withPool)
      TriggerSender.send(context.bus(), Trigger.Reconcile.worker(cluster, name));
    return done;
  }

  private static String words(Cordon cordon) {
    return "%s, until %s at the latest: nothing new starts there, what runs goes on"
        .formatted(cordon.why(), cordon.until());
  }
}
