package dev.mayfly.cli.cluster;

import dev.mayfly.cli.client.ApiClient;
import dev.mayfly.cli.client.JobCosts;
import dev.mayfly.cli.client.ParallelReads;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ResultCommand;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.StatusPage;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.core.query.cost.ClusterCost;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly status}: shows clusters. */
@Command(
    name = "status",
    description =
        "Shows clusters: workers by state, resource usage, heartbeats, failed boots, jobs.",
    footer = {"", "Examples:", "  mayfly status", "  mayfly status us-central2 -o json"})
public final class StatusCommand extends ResultCommand {
  private static final int JOBS = 20;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "CLUSTER",
      description = "Only this cluster.")
  @Nullable String name;

  @Option(
      names = {"-c", "--cluster"},
      paramLabel = "CLUSTER",
      description = "Same as CLUSTER.")
  @Nullable String option;

  public StatusCommand(CliContext cliContext) {
    super(cliContext);
  }

  /**
   * The JSON result.
   *
   * @param jobs the newest
   * @param moreJobs whether the cluster has older ones; absent if these are all
   * @param cost by job
   */
  record Status(
      ClusterStatus cluster,
      List<WorkerStatus> workers,
      List<JobStatus> jobs,
      Optional<Boolean> moreJobs,
      Optional<ClusterCost> cost) {}

  @Override
  public Integer call() {
    var apiClient = cliContext.api();
    var only = name != null ? name : option;
    var clusters = only == null ? apiClient.clusters() : List.of(apiClient.cluster(only));
    var all = read(apiClient, clusters);
    show(all, () -> print(all));
    return 0;
  }

  /** Of several failures the first in the order of the clusters is told. */
  private static List<Status> read(ApiClient apiClient, List<ClusterStatus> clusters) {
    try (var reads = new ParallelReads()) {
      var begun = clusters.stream().map(cluster -> begin(reads, apiClient, cluster)).toList();
      return begun.stream().map(Supplier::get).toList();
    }
  }

  private static Supplier<Status> begin(
      ParallelReads reads, ApiClient apiClient, ClusterStatus cluster) {
    var jobs = reads.begin(() -> Jobs.read(apiClient, cluster.name()));
    var workers = reads.begin(() -> apiClient.workers(cluster.name(), true));
    var whole = reads.begin(() -> whole(apiClient, cluster));
    return () -> {
      var known = jobs.get();
      return new Status(whole.get(), workers.get(), known.shown(), known.more(), known.cost());
    };
  }

  /** A list of clusters does not say how many machines each would have now. */
  private static ClusterStatus whole(ApiClient apiClient, ClusterStatus listed) {
    if (listed.pools().stream().allMatch(pool -> pool.wanted().isPresent())) return listed;
    try {
      return apiClient.cluster(listed.name());
    } catch (CommandException | UnavailableException gone) {
      return listed;
    }
  }

  /** Since when costs are asked for depends on the jobs. */
  private record Jobs(List<JobStatus> shown, Optional<Boolean> more, Optional<ClusterCost> cost) {
    static Jobs read(ApiClient apiClient, String cluster) {
      var jobs = apiClient.jobs(cluster, JOBS + 1);
      var shown = jobs.stream().limit(JOBS).toList();
      var more = Optional.of(jobs.size() > JOBS).filter(it -> it);
      return new Jobs(shown, more, JobCosts.read(apiClient, cluster, shown));
    }
  }

  private void print(List<Status> all) {
    var screen = textScreen();
    if (all.isEmpty()) screen.note("no cluster is up; bring one up with: mayfly up CLUSTER.yaml");
    var laptop = !cliContext.endpoints().cloud().isEmpty();
    for (var i = 0; i < all.size(); i++) {
      if (i > 0) screen.line("");
      var s = all.get(i);
      screen.lines(
          StatusPage.lines(
              s.cluster(), s.workers(), s.jobs(), s.cost(), laptop, cliContext.now(), screen));
    }
    all.stream()
        .flatMap(s ->
            StatusPage.missing(
                s.cluster(), s.workers(), s.jobs(), s.cost(), cliContext.now(), screen)
                .stream())
        .findFirst()
        .ifPresent(screen::note);
    all.stream()
        .filter(s -> s.moreJobs().isPresent())
        .map(s -> s.cluster().name())
        .map(name ->
            "cluster %s has more than the newest %d jobs; to see more: mayfly jobs -c %s -n 200"
                .formatted(name, JOBS, name))
        .forEach(screen::note);
  }
}
