package dev.mayfly.core.state.worker;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.document.WorkerHost;
import dev.mayfly.core.model.gang.GangMember;
import dev.mayfly.core.model.gang.GangPhaseTimeouts;
import dev.mayfly.core.model.gang.GangRun;
import dev.mayfly.core.model.gang.GangTimeouts;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.worker.HostArrivals;
import dev.mayfly.core.model.worker.HostId;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.Ledger;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.stream.IntStream;

/** The hosts of a worker: a slice may have several, and each reports for itself. */
public final class SliceHosts {
  private SliceHosts() {}

  public static int count(Worker worker) {
    return TpuTypes.of(worker.machineType()).map(TpuTypes.Tpu::hosts).orElse(1);
  }

  public static boolean isMultiHost(Worker worker) {
    return count(worker) > 1;
  }

  /** The names under which its hosts are due; the first host's is the worker's own. */
  public static List<String> hostNames(Worker worker) {
    return IntStream.range(0, count(worker))
        .mapToObj(i -> i == 0 ? worker.name() : new HostId(worker.name(), i).toString())
        .toList();
  }

  /** The worker of a host with such a name. */
  public static String worker(String sender) {
    var slash = sender.indexOf('/');
    return slash < 0 ? sender : sender.substring(0, slash);
  }

  /** The keys of the documents of all hosts but the first. */
  public static List<DocumentKey.OfHost> otherKeys(Worker worker) {
    return IntStream.range(1, count(worker))
        .mapToObj(i -> new DocumentKey.OfHost(worker.cluster(), worker.name(), i))
        .toList();
  }

  /** Whether every host but the first has reported. */
  public static boolean allReported(Ledger ledger, Worker worker) {
    return !isMultiHost(worker) || reported(ledger, worker).size() == count(worker) - 1;
  }

  /** Whether every host but the first has confirmed the drain. */
  public static boolean allDrained(Ledger ledger, Worker worker) {
    if (!isMultiHost(worker) || !(worker.state() instanceof WorkerState.Draining)) return true;
    return allReported(ledger, worker)
        && reported(ledger, worker).stream().allMatch(WorkerHost::drained);
  }

  public static List<WorkerHost> reported(Ledger ledger, Worker worker) {
    return ledger.readAll(otherKeys(worker)).requireComplete().stream()
        .map(VersionedDocument::value)
        .toList();
  }

  /** Which hosts of a worker have reported. */
  public static HostArrivals arrivals(Worker worker, Collection<WorkerHost> others) {
    var reported = new HashMap<Integer, Instant>();
    worker.firstSyncAt().ifPresent(at -> reported.put(0, at));
    others.forEach(host -> reported.put(host.index(), host.firstSyncAt()));
    return new HostArrivals(count(worker), reported);
  }

  /** The run of a task on all hosts of the workers. */
  public static GangRun newRun(List<Worker> workers, LeaseRef lease, JobSpec job, Instant now) {
    var members =
        workers.stream()
            .flatMap(w ->
                IntStream.range(0, count(w))
                    .mapToObj(i -> GangMember.of(new HostId(w.name(), i), "")))
            .toList();
    var limits = GangTimeouts.of(job.run().timeout(), job.settle(), job.run().grace());
    return GangRun.first(lease, limits, members, GangPhaseTimeouts.DEFAULT, now);
  }
}
