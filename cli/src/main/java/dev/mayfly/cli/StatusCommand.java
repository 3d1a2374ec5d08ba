package dev.mayfly.cli;

import dev.mayfly.cli.show.StatusPage;
import dev.mayfly.core.control.ClusterView;
import dev.mayfly.core.control.JobView;
import dev.mayfly.core.control.WorkerView;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly status}: clusters at a glance. */
@Command(
    name = "status",
    description =
        "Shows clusters: workers by state, what is in use, heartbeats, failed boots, jobs.",
    footer = {"", "Examples:", "  mayfly status", "  mayfly status us-central2 -o json"})
final class StatusCommand implements Callable<Integer> {
  private static final int JOBS = 20;

  private final Session session;
  @Mixin Common common = new Common();

  @Parameters(index = "0", arity = "0..1", paramLabel = "CLUSTER", description = "Only this one.")
  @Nullable String name;

  @Option(
      names = {"-c", "--cluster"},
      paramLabel = "CLUSTER",
      description = "The same.")
  @Nullable String option;

  StatusCommand(Session session) {
    this.session = session;
  }

  /** As JSON. */
  record Status(ClusterView cluster, List<WorkerView> workers, List<JobView> jobs) {}

  @Override
  public Integer call() {
    var api = session.api();
    var only = name != null ? name : option;
    var clusters = only == null ? api.clusters() : List.of(api.cluster(only));
    var all = clusters.stream().map(this::status).toList();
    if (common.json()) common.json(session.screen(), all);
    else show(all);
    return 0;
  }

  private Status status(ClusterView cluster) {
    var api = session.api();
    return new Status(cluster, api.workers(cluster.name(), true), api.jobs(cluster.name(), JOBS));
  }

  private void show(List<Status> all) {
    var screen = session.screen();
    if (all.isEmpty()) screen.note("no cluster is up; bring one up with: mayfly up CLUSTER.yaml");
    for (var i = 0; i < all.size(); i++) {
      if (i > 0) screen.line("");
      var s = all.get(i);
      screen.lines(StatusPage.lines(s.cluster(), s.workers(), s.jobs(), session.now(), screen));
    }
  }
}
