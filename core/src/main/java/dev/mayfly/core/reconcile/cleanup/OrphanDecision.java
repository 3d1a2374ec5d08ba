package dev.mayfly.core.reconcile.cleanup;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet.Leftover;
import dev.mayfly.core.state.worker.WorkerTransitions;
import java.util.Locale;
import java.util.Optional;

/** What cleanup does about one machine, worker, disk or address. */
sealed interface OrphanDecision {
  /** What it is about, for people. */
  String place();

  String why();

  /** The resource whose deletion it requests; empty if it deletes nothing. */
  default Optional<CleanupPlan.Deletion> deletion() {
    return Optional.empty();
  }

  /** The worker whose document it may change. */
  default Optional<Worker> changes() {
    return Optional.empty();
  }

  /** Deletes a machine that no worker has. */
  record DeleteMachine(String cluster, CloudMachine machine, String why) implements OrphanDecision {
    @Override
    public String place() {
      return "machine " + machine.name().name();
    }

    @Override
    public Optional<CleanupPlan.Deletion> deletion() {
      return Optional.of(OrphanDecision.deletion(machine.name(), why));
    }
  }

  /** Deletes a disk or an address that no worker has. */
  record DeleteLeftover(String cluster, Leftover leftover, String why) implements OrphanDecision {
    @Override
    public String place() {
      return OrphanDecision.place(leftover);
    }

    @Override
    public Optional<CleanupPlan.Deletion> deletion() {
      return Optional.of(
          new CleanupPlan.Deletion(
              OrphanDecision.kind(leftover), leftover.place(), leftover.name(), why));
    }
  }

  /**
   * Requests deletion of the machine of a worker that was given up, and closes the worker once the
   * machine is proved gone.
   *
   * @param listed whether the cloud lists the machine
   */
  record TerminateWorker(VersionedDocument<Worker> worker, boolean listed, String why)
      implements OrphanDecision {
    @Override
    public String place() {
      return (listed ? "machine " : "worker ") + worker.value().name();
    }

    @Override
    public Optional<CleanupPlan.Deletion> deletion() {
      return Optional.of(
          OrphanDecision.deletion(WorkerTransitions.machineName(worker.value()), why));
    }

    @Override
    public Optional<Worker> changes() {
      return Optional.of(worker.value());
    }
  }

  /** Gives up a worker whose machine the cloud stopped, and requests the machine's deletion. */
  record DeclareStopped(VersionedDocument<Worker> worker, FailureCause cause, String why)
      implements OrphanDecision {
    @Override
    public String place() {
      return "machine " + worker.value().name();
    }

    @Override
    public Optional<CleanupPlan.Deletion> deletion() {
      return Optional.of(
          OrphanDecision.deletion(WorkerTransitions.machineName(worker.value()), why));
    }

    @Override
    public Optional<Worker> changes() {
      return Optional.of(worker.value());
    }
  }

  /** Gives up a worker whose machine is proved gone, and closes it. */
  record DeclareMissing(VersionedDocument<Worker> worker, String why) implements OrphanDecision {
    @Override
    public String place() {
      return "worker " + worker.value().name();
    }

    @Override
    public Optional<Worker> changes() {
      return Optional.of(worker.value());
    }
  }

  /** Does nothing now; a later pass decides again. */
  record LeaveAlone(String place, String why) implements OrphanDecision {}

  /** Does nothing and says so: it may belong to another deployment in the project or to a user. */
  record UnknownOwner(String place) implements OrphanDecision {
    @Override
    public String why() {
      return "left alone: its labels match no readable cluster and worker";
    }
  }

  static String place(Leftover leftover) {
    return kind(leftover) + " " + leftover.name();
  }

  /** Disk, address or placement policy. */
  static String kind(Leftover leftover) {
    return leftover.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static CleanupPlan.Deletion deletion(CloudMachine.Name name, String why) {
    var kind =
        switch (name.kind()) {
          case VM -> "machine";
          case TPU -> "tpu";
        };
    return new CleanupPlan.Deletion(kind, name.zone(), name.name(), why);
  }
}
