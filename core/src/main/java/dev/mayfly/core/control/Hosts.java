package dev.mayfly.core.control;

import dev.mayfly.core.model.GangLimits;
import dev.mayfly.core.model.GangMember;
import dev.mayfly.core.model.GangRun;
import dev.mayfly.core.model.GangTimes;
import dev.mayfly.core.model.HostId;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerHost;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.plan.TpuTypes;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Stored;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** The hosts of a worker: a slice may have several, and each speaks for itself. */
final class Hosts {
  private Hosts() {}

  static int count(Worker worker) {
    return TpuTypes.of(worker.machineType()).map(TpuTypes.Tpu::hosts).orElse(1);
  }

  static boolean several(Worker worker) {
    return count(worker) > 1;
  }

  /** Under which names its hosts are due: the first host's is the worker's own. */
  static List<String> speakers(Worker worker) {
    return IntStream.range(0, count(worker))
        .mapToObj(i -> i == 0 ? worker.name() : new HostId(worker.name(), i).toString())
        .toList();
  }

  /** The worker of a speaker. */
  static String worker(String speaker) {
    var slash = speaker.indexOf('/');
    return slash < 0 ? speaker : speaker.substring(0, slash);
  }

  /** The keys of the documents of all hosts but the first. */
  static List<Key.OfHost> others(Worker worker) {
    return IntStream.range(1, count(worker))
        .mapToObj(i -> new Key.OfHost(worker.cluster(), worker.name(), i))
        .toList();
  }

  /** Whether every host but the first has spoken. */
  static boolean complete(Ledger ledger, Worker worker) {
    return !several(worker) || heard(ledger, worker).size() == count(worker) - 1;
  }

  /** Whether every host but the first has said, in answer to an order to drain, that it has. */
  static boolean drained(Ledger ledger, Worker worker) {
    if (!several(worker) || !(worker.state() instanceof WorkerState.Draining)) return true;
    return complete(ledger, worker) && heard(ledger, worker).stream().allMatch(WorkerHost::drained);
  }

  static List<WorkerHost> heard(Ledger ledger, Worker worker) {
    return ledger.readAll(others(worker)).complete().stream().map(Stored::value).toList();
  }

  /** The run of a task on all hosts of the workers. */
  static GangRun run(List<Worker> workers, LeaseRef lease, JobSpec job, Instant now) {
    var members =
        workers.stream()
            .flatMap(w ->
                IntStream.range(0, count(w))
                    .mapToObj(i -> GangMember.of(new HostId(w.name(), i), "")))
            .toList();
    var limits = GangLimits.of(job.run().timeout(), job.settle(), job.run().grace());
    return GangRun.first(lease, limits, members, GangTimes.DEFAULT, now);
  }
}
