package dev.mayfly.core.sync;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.document.WorkerHost;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.catalog.TpuTypes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * Who speaks: whether a report is of the machine, the incarnation and the call that the ledger
 * knows.
 */
enum IncarnationCheck {
  /** The incarnation that is bound, with a newer call than any that was written. */
  KNOWN,
  /** The first of this worker, or a later start of its agent than the one that is bound. */
  NEW,
  /** An older call of the bound incarnation: it changes nothing. */
  OVERTAKEN,
  /** Given up, gone, or an older start of the agent: it is to kill everything. */
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

  /** The machine's random value is proof that it is the one that was ordered. */
  private static void check(Worker worker, SyncReport report) {
    var hash = Sha256.of(report.nonce()).getBytes(StandardCharsets.US_ASCII);
    for (var known : worker.nonceHash().split(","))
      if (MessageDigest.isEqual(hash, known.getBytes(StandardCharsets.US_ASCII))) return;
    throw new DeniedException(
        "worker "
            + worker.name()
            + ": the report does not carry the value that this machine was launched with; "
            + "only the machine itself may speak for it");
  }

  /**
   * A value that got out of one machine is of no use on another. Of a slice the cloud knows one
   * number, and each of its hosts has another, which only its identity token tells: the first that
   * reports as a host of the slice is that host for as long as the slice lives.
   */
  private static void checkMachine(Worker worker, Optional<Incarnation> known, SyncReport report) {
    var slice = TpuTypes.of(worker.machineType()).isPresent();
    var machine = report.incarnation().instanceId();
    var bound = slice ? known.map(Incarnation::instanceId) : worker.instanceId();
    if (bound.filter(number -> !number.equals(machine)).isPresent())
      throw new DeniedException(
          "worker %s%s is machine %s; machine %s can't report for it"
              .formatted(
                  worker.name(), slice ? " host " + report.host() : "", bound.get(), machine));
  }
}
