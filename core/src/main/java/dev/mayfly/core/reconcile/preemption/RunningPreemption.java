package dev.mayfly.core.reconcile.preemption;

import dev.mayfly.core.model.Outranked;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.OutrankedTasks;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.preemption.EndTasksText;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks a worker to end running tasks for a waiting job of a higher priority: it is written into the
 * worker's document, together with an event of their job. A repeat finds them there already.
 *
 * <p>Nothing is asked while something unstarted of a lower priority is left there, which would take
 * the room; it goes back first, and another pass decides again. Neither is what ends anyway.
 */
public final class RunningPreemption {
  private final Context context;

  public RunningPreemption(Context context) {
    this.context = context;
  }

  /** Asks for the end of what is still as the plan saw it. */
  public void end(String cluster, PlanDecision.EndTasks end) {
    var stored = context.ledger().read(new DocumentKey.OfWorker(cluster, end.worker()));
    var job = context.ledger().read(new DocumentKey.OfJob(cluster, end.lease().job()));
    if (stored.isEmpty() || job.isEmpty() || !job.get().value().running()) return;
    var worker = stored.get().value();
    if (!(worker.state() instanceof WorkerState.Ready) || !isAllStarted(worker, end)) return;
    for (var held : worker.held())
      if (held.ref().equals(end.lease())) end(stored.get(), held, job.get().value(), end);
  }

  private void end(
      VersionedDocument<Worker> stored, Worker.Held held, Job job, PlanDecision.EndTasks end) {
    var worker = stored.value();
    var now = context.clock().instant();
    var victims = victims(worker, held, end);
    if (victims.isEmpty()) return;
    var until = now.plus(job.spec().run().grace()).plus(context.timings().syncInterval());
    var next =
        OutrankedTasks.ending(
            held, victims.stream().map(it -> outranked(it, end, now, until)).toList());
    var leases = worker.held().stream().map(it -> it.equals(held) ? next : it).toList();
    var about = "job/" + job.spec().address();
    var why = EndTasksText.of(end, victims);
    // On a conflict the next reconcile decides again.
    context
        .ledger()
        .commit(
            List.of(
                new LedgerWrite.Update(worker.withLeases(leases, now), stored.version()),
                new LedgerWrite.Put(context.event(worker.cluster(), about, "outranked", why)),
                new LedgerWrite.Signal(worker.cluster(), now, true, List.of(worker.name()))));
  }

  private static Outranked outranked(
      PlanDecision.EndTasks.Victim victim, PlanDecision.EndTasks end, Instant now, Instant until) {
    var taker = end.taker();
    return new Outranked(
        victim.index(), taker.job(), taker.address(), taker.priority(), now, until);
  }

  /** Those that run as far as is known, and that nothing ends yet. */
  private List<PlanDecision.EndTasks.Victim> victims(
      Worker worker, Worker.Held held, PlanDecision.EndTasks end) {
    var asked = OutrankedTasks.of(held);
    var shard =
        context
            .ledger()
            .read(new DocumentKey.OfShard(worker.cluster(), held.job(), held.start()))
            .map(VersionedDocument::value)
            .filter(it -> it.state() == Shard.State.LEASED && it.lease().equals(held.ref()));
    var victims = new ArrayList<PlanDecision.EndTasks.Victim>();
    for (var victim : end.victims())
      if (shard.filter(it -> isOpen(it, victim.index())).isPresent()
          && runs(held, shard.get(), victim.index())
          && !asked.has(victim.index())) victims.add(victim);
    return victims;
  }

  private boolean runs(Worker.Held held, Shard shard, long index) {
    return held.running().isEmpty()
        ? shard.size() == 1
            && OutrankedTasks.running(held, context.clock().instant()).contains(index)
        : held.running().contains(index);
  }

  private static boolean isOpen(Shard shard, long index) {
    return shard.has(index) && !shard.done().has(index) && !shard.failed().has(index);
  }

  /** Whether nothing of a lower priority may start there when a task ends. */
  private boolean isAllStarted(Worker worker, PlanDecision.EndTasks end) {
    var keys =
        worker.held().stream()
            .filter(held -> end.beside().contains(held.ref()))
            .map(held -> new DocumentKey.OfShard(worker.cluster(), held.job(), held.start()))
            .toList();
    var found = context.ledger().readAll(keys);
    if (found.readableOnly().size() < keys.size()) return false;
    return found.readableOnly().stream()
        .map(VersionedDocument::value)
        .noneMatch(shard -> mayStartMore(worker, shard));
  }

  /** Tasks start in the order of their indexes. */
  private boolean mayStartMore(Worker worker, Shard shard) {
    var now = context.clock().instant();
    return worker.held().stream()
        .filter(held -> held.ref().equals(shard.lease()))
        .anyMatch(held -> {
          var last =
              OutrankedTasks.running(held, now).stream()
                  .mapToLong(Long::longValue)
                  .max()
                  .orElse(-1);
          for (var i = Math.max(last + 1, shard.start()); i < shard.end(); i++)
            if (isOpen(shard, i)) return true;
          return false;
        });
  }
}
