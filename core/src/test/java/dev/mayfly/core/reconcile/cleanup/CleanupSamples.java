package dev.mayfly.core.reconcile.cleanup;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet.Leftover;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A cluster of a spot and an on-demand pool, and what the cloud may have of it. */
final class CleanupSamples {
  static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  static final Duration GRACE = Duration.ofMinutes(10);
  static final Instant OLD = NOW.minus(GRACE);
  static final Instant YOUNG = OLD.plusMillis(1);
  static final String ZONE = "us-a";

  static final WorkerState LAUNCHING = new WorkerState.Launching(OLD, NOW);
  static final WorkerState BOOTING = new WorkerState.Booting(OLD, NOW, "operation-1");
  static final WorkerState READY = new WorkerState.Ready(OLD, Optional.empty());
  static final WorkerState DRAINING =
      new WorkerState.Draining(OLD, new DrainReason(DrainCause.UNNEEDED, "idle"), NOW);
  static final WorkerState DRAINED = new WorkerState.Drained(OLD, "idle");
  static final WorkerState LOST = new WorkerState.Lost(OLD, FailureCause.LOST, "silent");
  static final WorkerState GONE = new WorkerState.Gone(OLD, "idle");
  static final List<WorkerState> STATES =
      List.of(LAUNCHING, BOOTING, READY, DRAINING, DRAINED, LOST, GONE);

  static final Map<String, Cluster> CLUSTERS =
      Map.of(
          "c1",
          new Cluster(
              "c1",
              SpecFixtures.cluster(
                  pool("spot", Provisioning.SPOT), pool("paid", Provisioning.ON_DEMAND)),
              Cluster.Phase.UP,
              1,
              0,
              OLD,
              Optional.empty()));

  private CleanupSamples() {}

  private static PoolSpec pool(String name, Provisioning provisioning) {
    return new PoolSpec(
        name,
        "n2-standard-2",
        Resources.cpu(2, 8L << 30),
        List.of(ZONE),
        provisioning,
        0,
        10,
        Duration.ofMinutes(10),
        Duration.ofHours(24),
        MachineSpec.PLAIN);
  }

  static Map<String, String> labels(String cluster, String worker) {
    return Map.of(CloudMachine.CLUSTER, cluster, CloudMachine.WORKER, worker);
  }

  /** The machine of worker w-1. */
  static CloudMachine machine(CloudMachine.Status status) {
    return machine(status, OLD, labels("c1", "w-1"));
  }

  static CloudMachine machine(
      CloudMachine.Status status, Instant createdAt, Map<String, String> labels) {
    return new CloudMachine(new CloudMachine.Name(ZONE, "w-1"), "7", status, labels, createdAt);
  }

  static Leftover disk(Instant createdAt, Map<String, String> labels) {
    return new Leftover(Leftover.Kind.DISK, ZONE, "disk-1", labels, createdAt);
  }

  /** Worker w-1 of the spot pool. */
  static VersionedDocument<Worker> worker(WorkerState state) {
    return worker(state, "spot", ZONE, Provisioning.SPOT);
  }

  static VersionedDocument<Worker> worker(
      WorkerState state, String pool, String zone, Provisioning provisioning) {
    return worker(state, pool, zone, "n2-standard-2", provisioning);
  }

  /** The worker of a TPU in the spot pool. */
  static VersionedDocument<Worker> tpu(WorkerState state) {
    return worker(state, "spot", ZONE, "v4-8", Provisioning.SPOT);
  }

  private static VersionedDocument<Worker> worker(
      WorkerState state, String pool, String zone, String type, Provisioning provisioning) {
    var worker =
        new Worker(
            "c1",
            "w-1",
            pool,
            zone,
            type,
            state,
            1,
            1,
            "",
            Optional.empty(),
            Resources.cpu(2, 8L << 30),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            1,
            OLD,
            Optional.empty(),
            Optional.empty(),
            provisioning,
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    return new VersionedDocument<>(worker, "v1");
  }
}
