package dev.mayfly.core.reconcile.cleanup;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet.Inventory;
import dev.mayfly.core.port.Fleet.Leftover;
import dev.mayfly.core.port.Fleet.Progress;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.QueryResult;
import dev.mayfly.core.reconcile.CloudCallRunner;
import dev.mayfly.core.reconcile.ClusterReconciler;
import dev.mayfly.core.reconcile.KeyPages;
import dev.mayfly.core.reconcile.cleanup.OrphanFacts.FoundLeftover;
import dev.mayfly.core.reconcile.cleanup.OrphanFacts.ListedMachine;
import dev.mayfly.core.reconcile.cleanup.OrphanFacts.Lookup;
import dev.mayfly.core.reconcile.cleanup.OrphanFacts.UnlistedWorker;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.worker.WorkerTransitions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads what cleanup decides about; changes nothing. What cannot be read is reported and left out.
 */
final class OrphanFactsReader {
  private final Context context;
  private final FailureLog failureLog;

  /** For one pass. */
  OrphanFactsReader(Context context, FailureLog failureLog) {
    this.context = context;
    this.failureLog = failureLog;
  }

  /** Throws {@link dev.mayfly.core.error.UnavailableException} if either cannot be listed. */
  CloudListing list() {
    // The cloud first: an intent is stored before its order, so each listed machine has a document
    // by now.
    var inventory = context.fleet().list();
    var found = context.ledger().query(new LedgerQuery.Clusters(true));
    var clusters = new LinkedHashMap<String, Cluster>();
    for (var stored : found.readable(failureLog::unreadable))
      clusters.put(stored.value().uid(), stored.value());
    inventory.warnings().forEach(w -> failureLog.add("the list of machines", w));
    return new CloudListing(context.clock().instant(), inventory, clusters);
  }

  /**
   * The workers to compare, by key.
   *
   * @param toCheck only these; empty if all that are not gone
   */
  Map<DocumentKey.OfWorker, VersionedDocument<Worker>> workers(
      CloudListing listing, Optional<Map<CloudMachine.Name, DocumentKey.OfWorker>> toCheck) {
    var workers = new LinkedHashMap<DocumentKey.OfWorker, VersionedDocument<Worker>>();
    for (var cluster : listing.clusters().values())
      if (cluster.phase() != Cluster.Phase.GONE)
        failureLog.guard(
            "cluster " + cluster.spec().name(),
            () -> {
              for (var page : pages(cluster, toCheck))
                for (var stored : page.readable(failureLog::unreadable))
                  workers.put(stored.value().key(), stored);
            });
    return workers;
  }

  private List<QueryResult<Worker>> pages(
      Cluster cluster, Optional<Map<CloudMachine.Name, DocumentKey.OfWorker>> toCheck) {
    if (toCheck.isEmpty())
      return List.of(
          context
              .ledger()
              .query(new LedgerQuery.Workers(cluster.uid(), false, ClusterReconciler.WORKERS)));
    var keys =
        toCheck.get().values().stream().filter(k -> k.cluster().equals(cluster.uid())).toList();
    return KeyPages.of(keys).stream().map(page -> context.ledger().readAll(page)).toList();
  }

  /**
   * @param toCheck the machines to compare; empty if all
   * @param workers as {@link #workers} read them
   */
  OrphanFacts.Machines machines(
      CloudListing listing,
      Optional<Map<CloudMachine.Name, DocumentKey.OfWorker>> toCheck,
      Map<DocumentKey.OfWorker, VersionedDocument<Worker>> workers) {
    var inventory = listing.inventory();
    var machines =
        inventory.machines().stream()
            .filter(m -> toCheck.isEmpty() || toCheck.get().containsKey(m.name()))
            .toList();
    var listed =
        inParallel(
            machines,
            m -> "machine " + m.name().name(),
            m -> new ListedMachine(m, worker(m, listing.clusters(), workers)));
    var unlisted =
        inParallel(
            unlisted(inventory, workers.values()),
            w -> "worker " + w.value().name(),
            w -> new UnlistedWorker(w, lookUp(w.value())));
    return new OrphanFacts.Machines(
        listing.at(),
        context.timings().orphanGrace(),
        listing.clusters(),
        inventory.complete(),
        listed,
        unlisted);
  }

  private Optional<VersionedDocument<Worker>> worker(
      CloudMachine cloudMachine,
      Map<String, Cluster> clusters,
      Map<DocumentKey.OfWorker, VersionedDocument<Worker>> workers) {
    return OrphanPlanner.owner(cloudMachine, clusters)
        .flatMap(key -> Optional.ofNullable(workers.get(key)).or(() -> context.ledger().read(key)));
  }

  private static List<VersionedDocument<Worker>> unlisted(
      Inventory inventory, Collection<VersionedDocument<Worker>> workers) {
    if (!inventory.complete()) return List.of();
    var listed = new HashSet<CloudMachine.Name>();
    for (var cloudMachine : inventory.machines()) listed.add(cloudMachine.name());
    return workers.stream()
        .filter(w -> !SettledMachines.isOwn(w.value()))
        .filter(w -> !listed.contains(WorkerTransitions.machineName(w.value())))
        .toList();
  }

  /** Only where a missing machine changes something. */
  private Lookup lookUp(Worker worker) {
    return switch (worker.state()) {
      case WorkerState.Booting b -> isPending(worker, b) ? Lookup.ORDER_PENDING : find(worker);
      case WorkerState.Ready _, WorkerState.Draining _ -> find(worker);
      case WorkerState.Launching _, WorkerState.Drained _, WorkerState.Lost _, WorkerState.Gone _ ->
          Lookup.NOT_LOOKED_UP;
    };
  }

  private boolean isPending(Worker worker, WorkerState.Booting state) {
    if (worker.instanceId().isPresent() || state.operation().isEmpty()) return false;
    var progress =
        context.fleet().progress(WorkerTransitions.machineName(worker), state.operation());
    return progress
        .filter(p -> p instanceof Progress.Pending || p instanceof Progress.Queued)
        .isPresent();
  }

  private Lookup find(Worker worker) {
    return context.fleet().find(WorkerTransitions.machineName(worker)).isPresent()
        ? Lookup.FOUND
        : Lookup.MISSING;
  }

  /** Throws {@link dev.mayfly.core.error.UnavailableException} if they cannot be listed. */
  OrphanFacts.Leftovers leftovers(CloudListing listing) {
    var found = new ArrayList<FoundLeftover>();
    for (var leftover : context.fleet().leftovers())
      failureLog.guard(
          OrphanDecision.place(leftover),
          () -> found.add(new FoundLeftover(leftover, worker(leftover, listing.clusters()))));
    return new OrphanFacts.Leftovers(
        context.clock().instant(), context.timings().orphanGrace(), listing.clusters(), found);
  }

  /**
   * Whether there is something to delete, for a dry run: an ended worker that the list has no
   * machine for may have one that is younger than the list.
   */
  boolean isDeletable(OrphanDecision decision) {
    if (!(decision instanceof OrphanDecision.TerminateWorker ended) || ended.listed()) return true;
    var worker = ended.worker().value();
    return context
        .fleet()
        .find(WorkerTransitions.machineName(worker))
        .filter(cloudMachine -> WorkerTransitions.isMachineOf(cloudMachine, worker))
        .isPresent();
  }

  private Optional<Worker> worker(Leftover leftover, Map<String, Cluster> clusters) {
    return OrphanPlanner.owner(leftover.labels(), clusters)
        .flatMap(context.ledger()::read)
        .map(VersionedDocument::value);
  }

  /** What was read of each thing, in their order. */
  private <T, F> List<F> inParallel(
      List<T> things, Function<T, String> place, Function<T, F> read) {
    var facts = Collections.synchronizedList(new ArrayList<Optional<F>>());
    things.forEach(_ -> facts.add(Optional.empty()));
    var calls = new ArrayList<Runnable>();
    for (var i = 0; i < things.size(); i++) {
      var at = i;
      var thing = things.get(at);
      calls.add(() ->
          failureLog.guard(
              place.apply(thing), () -> facts.set(at, Optional.of(read.apply(thing)))));
    }
    CloudCallRunner.run(context.executor(), calls);
    return facts.stream().flatMap(Optional::stream).toList();
  }
}
