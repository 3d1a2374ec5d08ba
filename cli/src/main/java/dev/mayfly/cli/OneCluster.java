package dev.mayfly.cli;

import dev.mayfly.cli.exit.Exit;
import dev.mayfly.cli.exit.Refusal;
import dev.mayfly.core.control.ClusterView;
import dev.mayfly.core.control.WorkerView;
import dev.mayfly.core.model.PoolSpec;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster a command is about. */
final class OneCluster {
  private static final int NAMED = 10;

  @Option(
      names = {"-c", "--cluster"},
      paramLabel = "CLUSTER",
      description = "The cluster; needed where several fit.")
  @Nullable String name;

  String of(Session session) {
    return session.cluster(Optional.ofNullable(name));
  }

  /** The one that has the job; only where several have one of the name must it be said. */
  String ofJob(Session session, String job) {
    var api = session.api();
    return with(session, "job " + job, c -> api.findJob(c.name(), job).isPresent());
  }

  /** As {@link #ofJob}; one without the worker is refused with those that it has. */
  String ofWorker(Session session, String worker) {
    var api = session.api();
    var cluster =
        with(session, "worker " + worker, c -> hasWorker(api.workers(c.name(), true), worker));
    var workers = api.workers(cluster, true);
    if (hasWorker(workers, worker)) return cluster;
    var names = workers.stream().map(WorkerView::name).toList();
    throw Refusal.notFound(none(cluster, "worker", worker, names));
  }

  /** As {@link #ofWorker}, for a slice that was made by hand. */
  String ofSlice(Session session, String slice) {
    var cluster = with(session, "slice " + slice, c -> slices(c).contains(slice));
    var slices = slices(session.api().cluster(cluster));
    if (slices.contains(slice)) return cluster;
    throw Refusal.notFound(none(cluster, "slice", slice, slices));
  }

  private String with(Session session, String what, Predicate<ClusterView> has) {
    if (name != null) return name;
    var all = session.api().clusters();
    if (all.size() < 2) return of(session);
    var found = all.stream().filter(has).map(ClusterView::name).sorted().toList();
    if (found.size() == 1) return found.getFirst();
    var names = String.join(", ", found.isEmpty() ? names(all) : found);
    throw found.isEmpty()
        ? Refusal.notFound("no cluster has " + what + "; the clusters are " + names)
        : new Refusal(Exit.INPUT, "several clusters have " + what + "; name one with -c: " + names);
  }

  private static List<String> names(List<ClusterView> clusters) {
    return clusters.stream().map(ClusterView::name).sorted().toList();
  }

  private static boolean hasWorker(List<WorkerView> workers, String worker) {
    return workers.stream().anyMatch(w -> w.name().equals(worker));
  }

  private static List<String> slices(ClusterView cluster) {
    return cluster.spec().pools().stream().filter(PoolSpec::manual).map(PoolSpec::name).toList();
  }

  private static String none(String cluster, String kind, String name, List<String> has) {
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
