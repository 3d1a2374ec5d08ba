package dev.mayfly.cli.session;

import dev.mayfly.cli.client.ApiClient;
import dev.mayfly.cli.context.ClusterOption;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.WorkerStatus;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the machine of a worker or of a running task, by what the control plane knows: which worker
 * has a lease of the task. Whether the task's process is there, only the machine knows.
 */
final class TargetLookup {
  private static final int NAMED = 10;
  private static final Set<String> USABLE =
      Set.of("preparing", "ready", "cordoned", "unfit", "draining");

  private final ApiClient apiClient;
  private final ClusterOption cluster;

  TargetLookup(ApiClient apiClient, ClusterOption cluster) {
    this.apiClient = apiClient;
    this.cluster = cluster;
  }

  /**
   * The target of this name; several for a rank of a gang, one of which has it: which rank a worker
   * is, only its processes know. Throws {@link CommandException} with the remedy if there is none.
   *
   * @param text {@code WORKER[.HOST]} or {@code JOB[/INDEX[.RANK]]}
   */
  List<SessionTarget> find(String text) {
    var name = TargetName.of(text);
    if (name.isTask()) return task(cluster.ofJob(name.name()), name);
    var where = cluster.ofJobOrWorker(name.name());
    var worker =
        apiClient.workers(where, true).stream()
            .filter(w -> w.name().equals(name.name()))
            .findFirst();
    if (worker.isPresent())
      return List.of(
          new SessionTarget(
              machine(where, worker.get(), name.number().orElse(0)), Optional.empty()));
    if (apiClient.findJob(where, name.name()).isPresent()) return task(where, name);
    throw CommandException.notFound(
        "cluster %s has no worker and no job %s; mayfly workers and mayfly jobs list them"
            .formatted(where, name.name()));
  }

  /** The machine of a worker. */
  Machine worker(String text) {
    var name = TargetName.of(text);
    if (name.isTask())
      throw CommandException.input(
          text + " is a task; log in beside it with: mayfly attach " + text);
    var where = cluster.ofWorker(name.name());
    return apiClient.workers(where, true).stream()
        .filter(w -> w.name().equals(name.name()))
        .findFirst()
        .map(w -> machine(where, w, name.number().orElse(0)))
        .orElseThrow(() -> CommandException.notFound("worker " + name.name() + " is gone"));
  }

  /** Whether a worker has the task now. */
  boolean hasWorker(JobStatus job, long index) {
    return !holders(job, index).isEmpty();
  }

  private List<SessionTarget> task(String where, TargetName name) {
    var job = apiClient.job(where, name.name());
    if (job.endedAt().isPresent())
      throw CommandException.notFound(
          "job %1$s has ended (%2$s), so nothing of it runs; see its output with: mayfly logs %1$s"
              .formatted(job.name(), job.state()));
    var index = name.index().isPresent() ? name.index().getAsLong() : onlyTask(job);
    if (index >= job.tasks() && !job.state().equals("expanding"))
      throw CommandException.notFound(
          "job %s has no task %d; its tasks are 0 to %d"
              .formatted(job.name(), index, job.tasks() - 1));
    var holders = holders(job, index);
    if (holders.isEmpty()) throw waits(job, index);
    var task = new TaskAddress(job.uid(), job.name(), index, name.number());
    var asked =
        name.number().isPresent() && job.spec().gang() > 1 ? holders : holders.subList(0, 1);
    return asked.stream()
        .map(w -> new SessionTarget(machine(job.cluster(), w, host(job, name)), Optional.of(task)))
        .toList();
  }

  /** On a slice the rank is the host's number. */
  private static int host(JobStatus job, TargetName name) {
    return job.spec().gang() > 1 ? 0 : name.number().orElse(0);
  }

  private static long onlyTask(JobStatus job) {
    if (job.tasks() == 1) return 0;
    throw CommandException.input(
        "job %1$s has %2$d tasks; name one, such as %1$s/0".formatted(job.name(), job.tasks()));
  }

  private List<WorkerStatus> holders(JobStatus job, long index) {
    return apiClient.workers(job.cluster(), false).stream()
        .filter(w -> USABLE.contains(w.state()) && holds(w, job, index))
        .sorted(Comparator.comparing(WorkerStatus::name))
        .toList();
  }

  private static boolean holds(WorkerStatus worker, JobStatus job, long index) {
    return worker.leases().stream()
        .anyMatch(l -> l.job().equals(job.uid()) && l.start() <= index && index < l.end());
  }

  private CommandException waits(JobStatus job, long index) {
    var why = job.reason().map(r -> ": " + r).orElse("");
    var others =
        apiClient.workers(job.cluster(), false).stream()
            .flatMap(w -> w.leases().stream())
            .filter(l -> l.job().equals(job.uid()))
            .map(l -> l.end() - l.start() == 1 ? "" + l.start() : l.start() + "-" + (l.end() - 1))
            .sorted()
            .limit(NAMED)
            .collect(Collectors.joining(", "));
    return new CommandException(
        CommandExitCode.UNAVAILABLE,
        "task %d of job %s has no worker now%s%s; mayfly attach --wait SECONDS waits for one"
            .formatted(
                index, job.name(), why, others.isEmpty() ? "" : " (workers have " + others + ")"));
  }

  private Machine machine(String where, WorkerStatus worker, int host) {
    if (!USABLE.contains(worker.state()) && !worker.state().equals("booting"))
      throw new CommandException(
          CommandExitCode.UNAVAILABLE,
          "worker %s is %s%s"
              .formatted(
                  worker.name(), worker.state(), worker.reason().map(r -> ": " + r).orElse("")));
    var tpu = TpuTypes.of(worker.machineType());
    var hosts = tpu.map(TpuTypes.Tpu::hosts).orElse(1);
    if (host >= hosts)
      throw CommandException.notFound(
          "worker %s has %d host%s; there is no .%d"
              .formatted(worker.name(), hosts, hosts == 1 ? "" : "s", host));
    var own = pool(where, worker).filter(p -> p.provisioning() == Provisioning.STATIC).isPresent();
    return new Machine(
        where, worker.name(), host, worker.zone(), tpu.isPresent(), own, worker.instanceId());
  }

  private Optional<PoolSpec> pool(String where, WorkerStatus worker) {
    return apiClient.cluster(where).spec().pools().stream()
        .filter(p -> p.name().equals(worker.pool()))
        .findFirst();
  }
}
