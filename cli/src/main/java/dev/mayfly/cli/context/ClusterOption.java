package dev.mayfly.cli.context;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.core.query.schedule.ScheduleStatus;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The cluster that a command applies to. */
public final class ClusterOption {
  private static final int NAMED = 10;

  @Option(
      names = {"-c", "--cluster"},
      paramLabel = "CLUSTER",
      description = "The cluster; without it $MAYFLY_CLUSTER. Required if several match.")
  @Nullable String name;

  private final CliContext cliContext;

  public ClusterOption(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  /** Whether the user named one. */
  public boolean isNamed() {
    return name != null;
  }

  /** The named cluster, or the only cluster. */
  public String name() {
    return cliContext.cluster(Optional.ofNullable(name));
  }

  /**
   * The cluster that has the job. The option is required only if several clusters have a job with
   * that name.
   */
  public String ofJob(String job) {
    var apiClient = cliContext.api();
    return with("job " + job, c -> apiClient.findJob(c.name(), job).isPresent());
  }

  /**
   * The job, to change it. Throws {@link CommandException} if a name alone means another owner's
   * job: to change that, the user says whose it is.
   *
   * @param job its name, {@code OWNER/NAME} or its uid
   */
  public JobStatus jobToChange(String job) {
    var found = cliContext.api().job(ofJob(job), job);
    var others = found.owner().filter(owner -> !cliContext.user().equals(Optional.of(owner)));
    if (job.equals(found.name()) && others.isPresent())
      throw CommandException.input(
          "job %s is %s's; to change it, name it %s".formatted(job, others.get(), found.address()));
    return found;
  }

  /** As {@link #ofJob}, for a name that may be a worker's as well. */
  public String ofJobOrWorker(String name) {
    var apiClient = cliContext.api();
    return with(
        "job or worker " + name,
        c ->
            apiClient.findJob(c.name(), name).isPresent()
                || hasWorker(apiClient.workers(c.name(), false), name));
  }

  /** As {@link #ofJob}; the error for an unknown worker lists the cluster's workers. */
  public String ofWorker(String worker) {
    var apiClient = cliContext.api();
    var cluster =
        with("worker " + worker, c -> hasWorker(apiClient.workers(c.name(), true), worker));
    var workers = apiClient.workers(cluster, true);
    if (hasWorker(workers, worker)) return cluster;
    var names = workers.stream().map(WorkerStatus::name).toList();
    throw CommandException.notFound(notFoundMessage(cluster, "worker", worker, names));
  }

  /** As {@link #ofWorker}, for a worker or a pool. */
  public String ofWorkerOrPool(String name) {
    var apiClient = cliContext.api();
    return with(
        "worker or pool " + name,
        c -> hasPool(c, name) || hasWorker(apiClient.workers(c.name(), true), name));
  }

  private static boolean hasPool(ClusterStatus status, String pool) {
    return status.pools().stream().anyMatch(p -> p.name().equals(pool));
  }

  /** As {@link #ofWorker}, for a manual slice. */
  public String ofSlice(String slice) {
    var cluster = with("slice " + slice, c -> slices(c).contains(slice));
    var slices = slices(cliContext.api().cluster(cluster));
    if (slices.contains(slice)) return cluster;
    throw CommandException.notFound(notFoundMessage(cluster, "slice", slice, slices));
  }

  /** As {@link #ofWorker}, for a schedule. */
  public String ofSchedule(String schedule) {
    var cluster = with("schedule " + schedule, c -> hasSchedule(c, schedule));
    var status = cliContext.api().cluster(cluster);
    if (hasSchedule(status, schedule)) return cluster;
    var known = status.schedules().stream().map(ScheduleStatus::address).toList();
    throw CommandException.notFound(notFoundMessage(cluster, "schedule", schedule, known));
  }

  private static boolean hasSchedule(ClusterStatus status, String schedule) {
    return status.schedules().stream()
        .anyMatch(s -> s.name().equals(schedule) || s.address().equals(schedule));
  }

  private String with(String what, Predicate<ClusterStatus> has) {
    if (name != null) return name;
    var all = cliContext.api().clusters();
    if (all.isEmpty() && cliContext.usualCluster().isEmpty())
      throw CommandException.notFound(
          "no cluster is up; bring one up with: mayfly up CLUSTER.yaml; if a cluster had %s that is down now, name it: -c CLUSTER"
              .formatted(what));
    if (all.size() < 2) return name();
    var found = names(CliContext.meant(all.stream().filter(has).toList()));
    if (found.size() == 1) return found.getFirst();
    var usual = cliContext.usualCluster().filter(found::contains);
    if (usual.isPresent()) return usual.get();
    var names = String.join(", ", found.isEmpty() ? names(all) : found);
    throw found.isEmpty()
        ? CommandException.notFound(
            "no cluster has %s; the clusters are %s; one that is down is looked at when you name it: -c CLUSTER"
                .formatted(what, names))
        : CommandException.input(
            "several clusters have "
                + what
                + "; name one with -c, or set MAYFLY_CLUSTER: "
                + names);
  }

  private static List<String> names(List<ClusterStatus> clusters) {
    return clusters.stream().map(ClusterStatus::name).sorted().toList();
  }

  private static boolean hasWorker(List<WorkerStatus> workers, String worker) {
    return workers.stream().anyMatch(w -> w.name().equals(worker));
  }

  private static List<String> slices(ClusterStatus cluster) {
    return cluster.spec().pools().stream().filter(PoolSpec::manual).map(PoolSpec::name).toList();
  }

  private static String notFoundMessage(
      String cluster, String kind, String name, List<String> has) {
    var known = String.join(", ", has.stream().limit(NAMED).toList());
    return "cluster %s has no %s %s; %s"
        .formatted(
            cluster,
            kind,
            name,
            has.isEmpty()
                ? "it has none"
                : "its " + kind + "s are " + known + (has.size() > NAMED ? ", …" : ""));
  }
}
