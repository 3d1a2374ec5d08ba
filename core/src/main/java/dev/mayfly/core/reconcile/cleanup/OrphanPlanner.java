package dev.mayfly.core.reconcile.cleanup;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet.Leftover;
import dev.mayfly.core.reconcile.cleanup.OrphanDecision.DeclareMissing;
import dev.mayfly.core.reconcile.cleanup.OrphanDecision.DeclareStopped;
import dev.mayfly.core.reconcile.cleanup.OrphanDecision.DeleteLeftover;
import dev.mayfly.core.reconcile.cleanup.OrphanDecision.DeleteMachine;
import dev.mayfly.core.reconcile.cleanup.OrphanDecision.LeaveAlone;
import dev.mayfly.core.reconcile.cleanup.OrphanDecision.TerminateWorker;
import dev.mayfly.core.reconcile.cleanup.OrphanDecision.UnknownOwner;
import dev.mayfly.core.reconcile.cleanup.OrphanFacts.FoundLeftover;
import dev.mayfly.core.reconcile.cleanup.OrphanFacts.ListedMachine;
import dev.mayfly.core.reconcile.cleanup.OrphanFacts.UnlistedWorker;
import dev.mayfly.core.state.worker.WorkerTransitions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides what cleanup does with what it found: a pure function, for a pass and its dry run.
 *
 * <p><b>Must:</b> touch nothing without the label of a cluster of this ledger and the name of a
 * worker, a machine only with its own name as the worker's; take an incomplete list as evidence of
 * nothing, and a complete one only with a 404 for the machine itself; delete a live worker's
 * machine only when the cloud itself has stopped it; keep what is young or belongs to a worker that
 * has not ended, because its machine may be on its way.
 */
final class OrphanPlanner {
  private static final String UNOWNED = "no worker of this cluster has it";

  private OrphanPlanner() {}

  /**
   * The worker that labels name; empty unless they name a cluster of this ledger. Nothing else may
   * be touched.
   */
  static Optional<DocumentKey.OfWorker> owner(
      Map<String, String> labels, Map<String, Cluster> clusters) {
    var cluster = labels.getOrDefault(CloudMachine.CLUSTER, "");
    var worker = labels.getOrDefault(CloudMachine.WORKER, "");
    return clusters.containsKey(cluster) && !worker.isEmpty()
        ? Optional.of(new DocumentKey.OfWorker(cluster, worker))
        : Optional.empty();
  }

  /** The same for a machine, which has the name of its worker. */
  static Optional<DocumentKey.OfWorker> owner(
      CloudMachine cloudMachine, Map<String, Cluster> clusters) {
    return owner(cloudMachine.labels(), clusters)
        .filter(key -> key.worker().equals(cloudMachine.name().name()));
  }

  /** A decision for each machine and each worker, in their order. */
  static List<OrphanDecision> plan(OrphanFacts.Machines facts) {
    var decisions = new ArrayList<OrphanDecision>();
    for (var listed : facts.listed()) decisions.add(decide(listed, facts));
    if (facts.complete()) for (var unlisted : facts.unlisted()) decisions.add(decide(unlisted));
    return decisions;
  }

  /**
   * A decision for each leftover, in their order.
   *
   * @param machines the decisions of the same pass about machines: a worker that they change is
   *     decided about by the next pass
   */
  static List<OrphanDecision> plan(
      OrphanFacts.Leftovers facts, Collection<OrphanDecision> machines) {
    var changed =
        machines.stream()
            .flatMap(d -> d.changes().stream())
            .map(Worker::key)
            .collect(Collectors.toSet());
    return facts.found().stream().map(found -> decide(found, facts, changed)).toList();
  }

  private static OrphanDecision decide(ListedMachine listed, OrphanFacts.Machines facts) {
    var machine = listed.machine();
    var cluster =
        owner(machine, facts.clusters())
            .flatMap(key -> Optional.ofNullable(facts.clusters().get(key.cluster())));
    if (cluster.isEmpty()) return new UnknownOwner("machine " + machine.name().name());
    return listed
        .worker()
        .filter(w -> isMachineOf(machine, w.value()))
        .map(w -> owned(cluster.get(), w, machine))
        .orElseGet(() -> orphan(cluster.get(), machine, facts));
  }

  /** A worker of that name in another zone, or a static one, has another machine. */
  private static boolean isMachineOf(CloudMachine cloudMachine, Worker worker) {
    return !SettledMachines.isOwn(worker) && worker.zone().equals(cloudMachine.name().zone());
  }

  private static OrphanDecision orphan(
      Cluster cluster, CloudMachine cloudMachine, OrphanFacts facts) {
    return isYoung(cloudMachine.createdAt(), facts)
        ? leave(cloudMachine, UNOWNED + ", but it is young")
        : delete(cluster, cloudMachine, UNOWNED);
  }

  private static boolean isYoung(Instant createdAt, OrphanFacts facts) {
    return createdAt.plus(facts.grace()).isAfter(facts.at());
  }

  private static OrphanDecision delete(Cluster cluster, CloudMachine cloudMachine, String why) {
    return cloudMachine.status() == CloudMachine.Status.STOPPING
        ? leave(cloudMachine, "it is being deleted")
        : new DeleteMachine(cluster.uid(), cloudMachine, why);
  }

  private static OrphanDecision owned(
      Cluster cluster, VersionedDocument<Worker> worker, CloudMachine cloudMachine) {
    var state = worker.value().state();
    return switch (state) {
      case WorkerState.Gone _ ->
          delete(cluster, cloudMachine, "its worker is gone, but the machine exists");
      case WorkerState.Drained _, WorkerState.Lost _ ->
          new TerminateWorker(worker, true, WorkerTransitions.reason(state));
      case WorkerState.Launching _,
          WorkerState.Booting _,
          WorkerState.Ready _,
          WorkerState.Draining _ ->
          cloudMachine.status() == CloudMachine.Status.STOPPED
              ? stopped(cluster, worker)
              : leave(cloudMachine, "its worker has not ended");
    };
  }

  private static OrphanDecision stopped(Cluster cluster, VersionedDocument<Worker> worker) {
    var provisioning =
        cluster
            .spec()
            .pool(worker.value().pool())
            .map(PoolSpec::provisioning)
            .orElse(Provisioning.SPOT);
    var preempted = provisioning == Provisioning.SPOT || worker.value().notice().isPresent();
    return preempted
        ? new DeclareStopped(worker, FailureCause.PREEMPTED, "the cloud stopped the spot machine")
        : new DeclareStopped(worker, FailureCause.LOST, "the machine was stopped");
  }

  private static OrphanDecision decide(UnlistedWorker unlisted) {
    var worker = unlisted.worker();
    if (SettledMachines.isOwn(worker.value())) return leave(worker, "its machine is in no cloud");
    return switch (worker.value().state()) {
      case WorkerState.Launching _ -> leave(worker, "its order may be on its way");
      case WorkerState.Booting _, WorkerState.Ready _, WorkerState.Draining _ -> missing(unlisted);
      case WorkerState.Drained _, WorkerState.Lost _ ->
          new TerminateWorker(worker, false, WorkerTransitions.reason(worker.value().state()));
      case WorkerState.Gone _ -> leave(worker, "it is gone");
    };
  }

  /** The list may be older than the machine: a 404 for the machine itself decides. */
  private static OrphanDecision missing(UnlistedWorker unlisted) {
    var worker = unlisted.worker();
    return switch (unlisted.lookup()) {
      case NOT_LOOKED_UP -> leave(worker, "its machine was not looked up");
      case ORDER_PENDING -> leave(worker, "the cloud still works on its order");
      case FOUND -> leave(worker, "its machine is not listed, but exists");
      case MISSING -> new DeclareMissing(worker, "the cloud does not have its machine");
    };
  }

  private static OrphanDecision decide(
      FoundLeftover found, OrphanFacts.Leftovers facts, Set<DocumentKey.OfWorker> changed) {
    var leftover = found.leftover();
    if (leftover.kind() == Leftover.Kind.PLACEMENT_POLICY) return policy(leftover, facts);
    var place = OrphanDecision.place(leftover);
    var owner = owner(leftover.labels(), facts.clusters());
    if (owner.isEmpty()) return new UnknownOwner(place);
    if (changed.contains(owner.get())) return new LeaveAlone(place, "this pass changes its worker");
    if (found.worker().isEmpty())
      return isYoung(leftover.createdAt(), facts)
          ? new LeaveAlone(place, UNOWNED + ", but it is young")
          : new DeleteLeftover(owner.get().cluster(), leftover, UNOWNED);
    return found.worker().get().state() instanceof WorkerState.Gone
        ? new DeleteLeftover(
            owner.get().cluster(), leftover, "its worker " + owner.get().worker() + " is gone")
        : new LeaveAlone(place, "its worker has not ended");
  }

  /** A policy is its cluster's, and no single worker's: the next machine of its pool uses it. */
  private static OrphanDecision policy(Leftover policy, OrphanFacts.Leftovers facts) {
    var place = OrphanDecision.place(policy);
    var cluster = facts.clusters().get(policy.labels().getOrDefault(CloudMachine.CLUSTER, ""));
    if (cluster == null) return new UnknownOwner(place);
    return cluster.phase() == Cluster.Phase.GONE
        ? new DeleteLeftover(cluster.uid(), policy, "its cluster is gone")
        : new LeaveAlone(place, "its cluster is not gone");
  }

  private static LeaveAlone leave(CloudMachine cloudMachine, String why) {
    return new LeaveAlone("machine " + cloudMachine.name().name(), why);
  }

  private static LeaveAlone leave(VersionedDocument<Worker> worker, String why) {
    return new LeaveAlone("worker " + worker.value().name(), why);
  }
}
