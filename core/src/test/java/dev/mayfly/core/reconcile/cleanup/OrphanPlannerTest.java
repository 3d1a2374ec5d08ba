package dev.mayfly.core.reconcile.cleanup;

import static dev.mayfly.core.reconcile.cleanup.CleanupSamples.CLUSTERS;
import static dev.mayfly.core.reconcile.cleanup.CleanupSamples.DRAINED;
import static dev.mayfly.core.reconcile.cleanup.CleanupSamples.GONE;
import static dev.mayfly.core.reconcile.cleanup.CleanupSamples.GRACE;
import static dev.mayfly.core.reconcile.cleanup.CleanupSamples.LAUNCHING;
import static dev.mayfly.core.reconcile.cleanup.CleanupSamples.LOST;
import static dev.mayfly.core.reconcile.cleanup.CleanupSamples.NOW;
import static dev.mayfly.core.reconcile.cleanup.CleanupSamples.OLD;
import static dev.mayfly.core.reconcile.cleanup.CleanupSamples.READY;
import static dev.mayfly.core.reconcile.cleanup.CleanupSamples.STATES;
import static dev.mayfly.core.reconcile.cleanup.CleanupSamples.YOUNG;
import static dev.mayfly.core.reconcile.cleanup.CleanupSamples.ZONE;
import static dev.mayfly.core.reconcile.cleanup.CleanupSamples.disk;
import static dev.mayfly.core.reconcile.cleanup.CleanupSamples.labels;
import static dev.mayfly.core.reconcile.cleanup.CleanupSamples.machine;
import static dev.mayfly.core.reconcile.cleanup.CleanupSamples.worker;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.CloudMachine.Status;
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
import dev.mayfly.core.reconcile.cleanup.OrphanFacts.Lookup;
import dev.mayfly.core.reconcile.cleanup.OrphanFacts.UnlistedWorker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OrphanPlannerTest {
  private static final List<Map<String, String>> FOREIGN =
      List.of(
          Map.of(),
          labels("another", "w-1"),
          Map.of(CloudMachine.CLUSTER, "c1"),
          Map.of(CloudMachine.WORKER, "w-1"),
          labels("c1", ""));

  private static OrphanDecision listed(
      CloudMachine cloudMachine, Optional<VersionedDocument<Worker>> worker) {
    var machines = List.of(new ListedMachine(cloudMachine, worker));
    var facts = new OrphanFacts.Machines(NOW, GRACE, CLUSTERS, false, machines, List.of());
    return only(OrphanPlanner.plan(facts));
  }

  private static List<OrphanDecision> unlisted(
      boolean complete, VersionedDocument<Worker> worker, Lookup lookup) {
    var workers = List.of(new UnlistedWorker(worker, lookup));
    return OrphanPlanner.plan(
        new OrphanFacts.Machines(NOW, GRACE, CLUSTERS, complete, List.of(), workers));
  }

  private static OrphanDecision leftover(
      Map<String, String> labels, Instant createdAt, Optional<WorkerState> worker) {
    return leftover(labels, createdAt, worker, List.of());
  }

  private static OrphanDecision leftover(
      Map<String, String> labels,
      Instant createdAt,
      Optional<WorkerState> worker,
      List<OrphanDecision> machines) {
    var found =
        new FoundLeftover(disk(createdAt, labels), worker.map(state -> worker(state).value()));
    var facts = new OrphanFacts.Leftovers(NOW, GRACE, CLUSTERS, List.of(found));
    return only(OrphanPlanner.plan(facts, machines));
  }

  private static OrphanDecision only(List<OrphanDecision> decisions) {
    assertThat(decisions).hasSize(1);
    return decisions.getFirst();
  }

  private static boolean isLive(WorkerState state) {
    return state.live() || state instanceof WorkerState.Draining;
  }

  @Test
  void machineWithForeignLabelsIsLeftAlone() {
    var labels = new ArrayList<>(FOREIGN);
    labels.add(labels("c1", "w-2"));
    for (var each : labels)
      for (var state : STATES) {
        var decision = listed(machine(Status.STOPPED, OLD, each), Optional.of(worker(state)));

        assertThat(decision).as("%s", each).isEqualTo(new UnknownOwner("machine w-1"));
        assertThat(decision.deletion()).isEmpty();
      }
  }

  @Test
  void orphanIsDeletedFromItsGraceOn() {
    for (var status : List.of(Status.STARTING, Status.RUNNING, Status.STOPPED, Status.UNKNOWN)) {
      var old = machine(status, OLD, labels("c1", "w-1"));
      var young = machine(status, YOUNG, labels("c1", "w-1"));

      assertThat(listed(old, Optional.empty()))
          .isEqualTo(new DeleteMachine("c1", old, "no worker of this cluster has it"));
      assertThat(listed(young, Optional.empty())).isInstanceOf(LeaveAlone.class);
    }
  }

  @Test
  void machineElsewhereThanItsWorkerIsOrphan() {
    var machine = machine(Status.RUNNING);
    for (var state : STATES)
      for (var other :
          List.of(
              worker(state, "spot", "us-b", Provisioning.SPOT),
              worker(state, "spot", ZONE, Provisioning.STATIC)))
        assertThat(listed(machine, Optional.of(other)))
            .isEqualTo(new DeleteMachine("c1", machine, "no worker of this cluster has it"));
  }

  @Test
  void onlyStoppedMachineOfLiveWorkerIsDeleted() {
    for (var state : STATES.stream().filter(OrphanPlannerTest::isLive).toList())
      for (var status : Status.values()) {
        var worker = worker(state);
        var decision = listed(machine(status), Optional.of(worker));

        if (status == Status.STOPPED)
          assertThat(decision)
              .isEqualTo(
                  new DeclareStopped(
                      worker, FailureCause.PREEMPTED, "the cloud stopped the spot machine"));
        else
          assertThat(decision).isEqualTo(new LeaveAlone("machine w-1", "its worker has not ended"));
      }
  }

  @Test
  void stoppedPaidMachineIsPreemptedOnlyAfterNotice() {
    var worker = worker(READY, "paid", ZONE, Provisioning.ON_DEMAND);
    var noticed = new VersionedDocument<>(worker.value().withNotice(OLD), "v2");

    assertThat(listed(machine(Status.STOPPED), Optional.of(worker)))
        .isEqualTo(new DeclareStopped(worker, FailureCause.LOST, "the machine was stopped"));
    assertThat(listed(machine(Status.STOPPED), Optional.of(noticed)))
        .isInstanceOfSatisfying(
            DeclareStopped.class, d -> assertThat(d.cause()).isEqualTo(FailureCause.PREEMPTED));
  }

  @Test
  void machineOfEndedWorkerIsDeletedAtAnyAge() {
    for (var status : Status.values()) {
      var machine = machine(status, YOUNG, labels("c1", "w-1"));

      assertThat(listed(machine, Optional.of(worker(DRAINED))))
          .isEqualTo(new TerminateWorker(worker(DRAINED), true, "idle"));
      assertThat(listed(machine, Optional.of(worker(LOST))))
          .isEqualTo(new TerminateWorker(worker(LOST), true, "silent"));
      assertThat(listed(machine, Optional.of(worker(GONE))))
          .isEqualTo(
              status == Status.STOPPING
                  ? new LeaveAlone("machine w-1", "it is being deleted")
                  : new DeleteMachine("c1", machine, "its worker is gone, but the machine exists"));
    }
  }

  @Test
  void incompleteListIsEvidenceOfNothing() {
    for (var state : STATES)
      for (var lookup : Lookup.values())
        assertThat(unlisted(false, worker(state), lookup)).isEmpty();
  }

  @Test
  void only404ProvesThatLiveWorkersMachineIsGone() {
    for (var state : STATES.stream().filter(OrphanPlannerTest::isLive).toList())
      for (var lookup : Lookup.values()) {
        var decision = only(unlisted(true, worker(state), lookup));

        if (lookup == Lookup.MISSING && !state.equals(LAUNCHING))
          assertThat(decision)
              .isEqualTo(new DeclareMissing(worker(state), "the cloud does not have its machine"));
        else assertThat(decision).isInstanceOf(LeaveAlone.class);
        assertThat(decision.deletion()).isEmpty();
      }
  }

  @Test
  void endedWorkerWithoutListedMachineIsTerminated() {
    for (var lookup : Lookup.values()) {
      assertThat(unlisted(true, worker(DRAINED), lookup))
          .containsExactly(new TerminateWorker(worker(DRAINED), false, "idle"));
      assertThat(unlisted(true, worker(LOST), lookup))
          .containsExactly(new TerminateWorker(worker(LOST), false, "silent"));
      assertThat(unlisted(true, worker(GONE), lookup))
          .containsExactly(new LeaveAlone("worker w-1", "it is gone"));
    }
  }

  @Test
  void staticWorkerNeedsNoMachine() {
    for (var state : STATES)
      for (var lookup : Lookup.values())
        assertThat(unlisted(true, worker(state, "spot", ZONE, Provisioning.STATIC), lookup))
            .containsExactly(new LeaveAlone("worker w-1", "its machine is in no cloud"));
  }

  @Test
  void leftoverWithForeignLabelsIsLeftAlone() {
    for (var each : FOREIGN)
      assertThat(leftover(each, OLD, Optional.of(GONE)))
          .as("%s", each)
          .isEqualTo(new UnknownOwner("disk disk-1"));
  }

  @Test
  void policyGoesWithItsCluster() {
    var policy = policy("c1");
    var gone = Map.of("c1", CLUSTERS.get("c1").withGone(NOW));

    assertThat(ofPolicy(policy, gone))
        .isEqualTo(new DeleteLeftover("c1", policy, "its cluster is gone"));
    assertThat(ofPolicy(policy, CLUSTERS)).isInstanceOf(LeaveAlone.class);
    assertThat(ofPolicy(policy("c9"), gone)).isInstanceOf(UnknownOwner.class);
  }

  private static Leftover policy(String cluster) {
    var kind = Leftover.Kind.PLACEMENT_POLICY;
    return new Leftover(
        kind, "us-central1", "mayfly-x", Map.of(CloudMachine.CLUSTER, cluster), OLD);
  }

  private static OrphanDecision ofPolicy(Leftover policy, Map<String, Cluster> clusters) {
    var found = new FoundLeftover(policy, Optional.empty());
    var facts = new OrphanFacts.Leftovers(NOW, GRACE, clusters, List.of(found));
    return only(OrphanPlanner.plan(facts, List.of()));
  }

  @Test
  void unownedLeftoverIsDeletedFromItsGraceOn() {
    var labels = labels("c1", "w-1");

    assertThat(leftover(labels, OLD, Optional.empty()))
        .isEqualTo(new DeleteLeftover("c1", disk(OLD, labels), "no worker of this cluster has it"));
    assertThat(leftover(labels, YOUNG, Optional.empty())).isInstanceOf(LeaveAlone.class);
  }

  @Test
  void leftoverStaysUntilItsWorkerIsGone() {
    var labels = labels("c1", "w-1");
    for (var state : STATES)
      assertThat(leftover(labels, YOUNG, Optional.of(state)))
          .isEqualTo(
              state.equals(GONE)
                  ? new DeleteLeftover("c1", disk(YOUNG, labels), "its worker w-1 is gone")
                  : new LeaveAlone("disk disk-1", "its worker has not ended"));
  }

  /** Otherwise a pass would delete disks that its dry run could not foresee. */
  @Test
  void leftoverWaitsWhileItsWorkerChanges() {
    var worker = worker(READY);
    for (var change :
        List.of(
            new TerminateWorker(worker, true, "idle"),
            new DeclareStopped(worker, FailureCause.LOST, "stopped"),
            new DeclareMissing(worker, "missing")))
      assertThat(leftover(labels("c1", "w-1"), OLD, Optional.of(GONE), List.of(change)))
          .isEqualTo(new LeaveAlone("disk disk-1", "this pass changes its worker"));
  }

  @Test
  void deletionNamesKindPlaceNameAndReason() {
    var tpu = CleanupSamples.tpu(READY);

    assertThat(new TerminateWorker(worker(DRAINED), true, "idle").deletion())
        .hasValue(new CleanupPlan.Deletion("machine", ZONE, "w-1", "idle"));
    assertThat(new DeclareStopped(tpu, FailureCause.LOST, "stopped").deletion())
        .hasValue(new CleanupPlan.Deletion("tpu", ZONE, "w-1", "stopped"));
    assertThat(new DeleteMachine("c1", machine(Status.RUNNING), "unowned").deletion())
        .hasValue(new CleanupPlan.Deletion("machine", ZONE, "w-1", "unowned"));
    assertThat(new DeleteLeftover("c1", disk(OLD, Map.of()), "unowned").deletion())
        .hasValue(new CleanupPlan.Deletion("disk", ZONE, "disk-1", "unowned"));
  }

  @Test
  void decisionsComeInOrderOfTheirFacts() {
    var stopped = new ListedMachine(machine(Status.STOPPED), Optional.of(worker(READY)));
    var orphan = new ListedMachine(machine(Status.RUNNING), Optional.empty());
    var missing = new UnlistedWorker(worker(READY), Lookup.MISSING);

    var decisions =
        OrphanPlanner.plan(
            new OrphanFacts.Machines(
                NOW, GRACE, CLUSTERS, true, List.of(stopped, orphan), List.of(missing)));

    assertThat(decisions.stream().<Class<?>>map(Object::getClass).toList())
        .isEqualTo(Arrays.asList(DeclareStopped.class, DeleteMachine.class, DeclareMissing.class));
  }
}
