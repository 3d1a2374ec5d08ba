package dev.mayfly.core.reconcile.cleanup;

import dev.mayfly.core.lifecycle.WorkerEvent;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.reconcile.CloudCallRunner;
import dev.mayfly.core.reconcile.ReconcileLoop;
import dev.mayfly.core.reconcile.cleanup.OrphanDecision.DeclareMissing;
import dev.mayfly.core.reconcile.cleanup.OrphanDecision.DeclareStopped;
import dev.mayfly.core.reconcile.cleanup.OrphanDecision.DeleteLeftover;
import dev.mayfly.core.reconcile.cleanup.OrphanDecision.DeleteMachine;
import dev.mayfly.core.reconcile.cleanup.OrphanDecision.LeaveAlone;
import dev.mayfly.core.reconcile.cleanup.OrphanDecision.TerminateWorker;
import dev.mayfly.core.reconcile.cleanup.OrphanDecision.UnknownOwner;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.LateWork;
import dev.mayfly.core.state.ReportedFailures;
import dev.mayfly.core.state.worker.WorkerTransitions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Compares the cloud with the ledger in both directions, so that no machine is left running and no
 * worker waits for a machine that is gone. It is the safety net below {@link ReconcileLoop} and
 * shares no failure with it.
 *
 * <p>A pass reads facts, decides and acts; a dry run of the same decisions leaves out the last
 * step. First the machines, then disks and addresses, so that a failure to list those keeps no
 * machine running. The rules are in {@link OrphanPlanner}.
 *
 * <p><b>Must:</b> leave machines alone whose cluster or worker is unreadable.
 */
public final class OrphanCollector {
  private static final String LEFTOVERS = "disks and addresses";

  private final Context context;
  private final WorkerTransitions workerTransitions;
  private final SettledMachines settled = new SettledMachines();
  private final DocumentPurge purge;
  private final ReportedFailures log = new ReportedFailures();

  public OrphanCollector(Context context, WorkerTransitions workerTransitions) {
    this.context = context;
    this.workerTransitions = workerTransitions;
    purge = new DocumentPurge(context);
  }

  /**
   * What a pass that compares everything would delete now, by the same decisions; deletes and
   * stores nothing. Throws as {@link #collect}.
   */
  public static CleanupPlan plan(Context context) {
    var failureLog = new FailureLog(new ReportedFailures(), context);
    var reader = new OrphanFactsReader(context, failureLog);
    var listing = reader.list();
    var workers = reader.workers(listing, Optional.empty());
    var machines = OrphanPlanner.plan(reader.machines(listing, Optional.empty(), workers));
    report(machines, failureLog);
    var decisions = new ArrayList<>(machines);
    failureLog.guard(
        LEFTOVERS,
        () -> {
          var leftovers = OrphanPlanner.plan(reader.leftovers(listing), machines);
          report(leftovers, failureLog);
          decisions.addAll(leftovers);
        });
    var deletions = new ArrayList<CleanupPlan.Deletion>();
    for (var decision : decisions)
      failureLog.guard(
          decision.place(),
          () -> {
            if (reader.isDeletable(decision)) decision.deletion().ifPresent(deletions::add);
          });
    return new CleanupPlan(deletions, failureLog.lines());
  }

  /**
   * Runs a pass. Reports a line for each machine that failed or was left alone because its owner is
   * unknown; neither stops the pass. Throws {@link dev.mayfly.core.error.UnavailableException} if
   * the cloud or the ledger cannot be listed; then nothing was done. Passes of one process are
   * sequential, because they share what the last one saw.
   */
  public synchronized List<String> collect() {
    var failureLog = new FailureLog(log, context);
    var reader = new OrphanFactsReader(context, failureLog);
    var listing = reader.list();
    var machines = machines(reader, listing, failureLog);
    failureLog.guard(
        LEFTOVERS,
        () -> {
          var leftovers = OrphanPlanner.plan(reader.leftovers(listing), machines);
          report(leftovers, failureLog);
          for (var decision : leftovers) act(decision, failureLog);
        });
    for (var cluster : listing.clusters().values())
      failureLog.guard(
          "cluster " + cluster.spec().name(),
          () -> LateWork.find(context.ledger(), cluster, listing.at()));
    purge.run(listing.clusters().values(), failureLog);
    return failureLog.lines();
  }

  private List<OrphanDecision> machines(
      OrphanFactsReader reader, CloudListing listing, FailureLog failureLog) {
    var toCheck = settled.changed(listing.inventory(), listing.at());
    settled.reset();
    var workers = reader.workers(listing, toCheck);
    var decisions = OrphanPlanner.plan(reader.machines(listing, toCheck, workers));
    report(decisions, failureLog);
    CloudCallRunner.run(
        context.executor(),
        decisions.stream()
            .filter(decision -> !(decision instanceof LeaveAlone))
            .<Runnable>map(decision -> () -> act(decision, failureLog))
            .toList());
    if (listing.inventory().complete() && !failureLog.failed())
      settled.record(
          listing.inventory(),
          toCheck,
          workers.values().stream().map(VersionedDocument::value).toList(),
          listing.at());
    return decisions;
  }

  private static void report(List<OrphanDecision> decisions, FailureLog failureLog) {
    for (var decision : decisions)
      if (decision instanceof UnknownOwner unknown) failureLog.note(unknown.place(), unknown.why());
  }

  private void act(OrphanDecision decision, FailureLog failureLog) {
    failureLog.guard(decision.place(), () -> act(decision));
  }

  /** Each decision may be carried out again: by a later pass, or by a reconcile. */
  private void act(OrphanDecision decision) {
    var now = context.clock().instant();
    switch (decision) {
      case DeleteMachine d -> delete(d);
      case DeleteLeftover d -> delete(d);
      case TerminateWorker d -> workerTransitions.terminate(d.worker());
      case DeclareStopped d ->
          giveUp(d.worker(), new WorkerEvent.MachineStopped(now, d.cause(), d.why(), false));
      case DeclareMissing d -> giveUp(d.worker(), new WorkerEvent.MachineMissing(now, true));
      case LeaveAlone _, UnknownOwner _ -> {}
    }
  }

  private void giveUp(VersionedDocument<Worker> worker, WorkerEvent event) {
    workerTransitions.apply(worker, event).ifPresent(workerTransitions::terminate);
  }

  private void delete(DeleteMachine decision) {
    var name = decision.machine().name();
    if (workerTransitions.rateLimiter().mayDelete(name, context.clock().instant())
        && context.fleet().delete(name))
      recordDeletion(decision.cluster(), "machine/" + name.name(), decision.why());
  }

  private void delete(DeleteLeftover decision) {
    var leftover = decision.leftover();
    if (context.fleet().delete(leftover))
      recordDeletion(
          decision.cluster(),
          OrphanDecision.kind(leftover) + "/" + leftover.name(),
          decision.why());
  }

  private void recordDeletion(String cluster, String about, String why) {
    var eventRecord = context.event(cluster, about, "cleaned-up", why);
    context.ledger().commit(List.of(new LedgerWrite.Put(eventRecord)));
  }
}
