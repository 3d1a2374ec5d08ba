package dev.mayfly.core.sync;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.document.WorkerHost;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.model.worker.WorkerState;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/** Whether a report comes from the machine, the incarnation and the sync that the ledger knows. */
enum IncarnationCheck {
  /** The bound incarnation with a newer sync than any stored one. */
  KNOWN,
  /** The worker's first incarnation, or a later agent start than the bound one. */
  NEW,
  /** An older sync of the bound incarnation: it changes nothing. */
  OVERTAKEN,
  /**
   * The worker is given up or gone, or the agent start is older: the agent must kill everything.
   */
  FENCED;

  static IncarnationCheck of(Worker worker, SyncReport report) {
    return of(worker, worker.incarnation(), worker.seq(), report);
  }

  /** The same for a host of a slice beyond the first. */
  static IncarnationCheck of(Worker worker, Optional<WorkerHost> host, SyncReport report) {
    return of(
        worker, host.map(WorkerHost::incarnation), host.map(WorkerHost::seq).orElse(0L), report);
  }

  private static IncarnationCheck of(
      Worker worker, Optional<Incarnation> known, long seq, SyncReport report) {
    check(worker, report);
    checkMachine(worker, known, report);
    return switch (worker.state()) {
      case WorkerState.Lost lost -> FENCED;
      case WorkerState.Gone gone -> FENCED;
      case WorkerState.Launching l -> incarnation(known, seq, report);
      case WorkerState.Booting b -> incarnation(known, seq, report);
      case WorkerState.Ready r -> incarnation(known, seq, report);
      case WorkerState.Draining d -> incarnation(known, seq, report);
      case WorkerState.Drained d -> incarnation(known, seq, report);
    };
  }

  private static IncarnationCheck incarnation(
      Optional<Incarnation> known, long seq, SyncReport report) {
    if (known.isEmpty()) return NEW;
    var bound = known.get();
    if (bound.equals(report.incarnation())) return report.seq() > seq ? KNOWN : OVERTAKEN;
    return report.incarnation().isAfter(bound) ? NEW : FENCED;
  }

  /** The machine's random value proves that it is the machine that was ordered. */
  private static void check(Worker worker, SyncReport report) {
    var hash = Sha256.of(report.nonce()).getBytes(StandardCharsets.US_ASCII);
    for (var known : worker.nonceHash().split(","))
      if (MessageDigest.isEqual(hash, known.getBytes(StandardCharsets.US_ASCII))) return;
    throw new DeniedException(
        "worker "
            + worker.name()
            + ": the report does not carry the value that this machine was launched with; "
            + "it is not from the machine that was launched");
  }

  /**
   * A value leaked from one machine is useless on another. The cloud has one number for a slice,
   * but each of its hosts has another, known only from its identity token: the first machine that
   * reports as a host of the slice stays that host for the life of the slice.
   */
  private static void checkMachine(Worker worker, Optional<Incarnation> known, SyncReport report) {
    var machine = report.incarnation().instanceId();
    if (report.host() == 0 && worker.instanceId().filter(machine::equals).isPresent()) return;
    var slice = TpuTypes.of(worker.machineType()).isPresent();
    var bound = slice ? known.map(Incarnation::instanceId) : worker.instanceId();
    if (bound.filter(number -> !number.equals(machine)).isPresent())
      throw new DeniedException(
          "worker %s%s is machine %s; machine %s can't report for it"
              .formatted(
                  worker.name(), slice ? " host " + report.host() : "", bound.get(), machine));
  }
}
