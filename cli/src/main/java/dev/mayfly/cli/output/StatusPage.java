package dev.mayfly.cli.output;

import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.WorkerStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Formats the status of one cluster: pools, workers by state, resource usage, heartbeats, failed
 * boots and jobs.
 */
public final class StatusPage {
  private static final Duration RECENT = Duration.ofHours(1);

  private StatusPage() {}

  /**
   * @param workers including gone workers
   */
  public static List<String> lines(
      ClusterStatus cluster,
      List<WorkerStatus> workers,
      List<JobStatus> jobs,
      Instant now,
      Screen screen) {
    var lines = new ArrayList<String>();
    lines.add(title(cluster, now, screen));
    lines.add("  workers    " + states(cluster));
    failedBoots(workers, now).forEach(f -> lines.add("  " + screen.paint(Style.BAD, f)));
    lines.add("  in use     " + HumanFormat.usage(cluster.used(), cluster.total()));
    GpuSummary.of(workers.stream().flatMap(w -> w.gpus().stream()).toList())
        .ifPresent(gpus -> lines.add("  gpus       " + gpus.line()));
    for (var trouble : cluster.problems())
      lines.add("  " + screen.paint(Style.WARN, "trouble    " + PrintableText.line(trouble)));
    section(lines, pools(cluster), screen);
    var present = workers.stream().filter(WorkerLines::present).toList();
    section(lines, WorkerLines.table(present, now), screen);
    section(lines, JobLines.table(jobs, now), screen);
    return lines;
  }

  private static void section(List<String> lines, Table table, Screen screen) {
    if (table.isEmpty()) return;
    lines.add("");
    table.lines(screen.withWidth(screen.width() - 2)).forEach(line -> lines.add("  " + line));
  }

  private static String title(ClusterStatus cluster, Instant now, Screen screen) {
    return "%s  %s for %s, generation %d, bucket %s, %s"
        .formatted(
            screen.paint(Style.TITLE, cluster.name()),
            screen.paint(Style.of(cluster.phase()), cluster.phase()),
            HumanFormat.age(cluster.createdAt(), now),
            cluster.generation(),
            cluster.spec().bucket(),
            HumanFormat.count(cluster.jobs(), "live job"));
  }

  private static String states(ClusterStatus cluster) {
    var states = HumanFormat.counts(cluster.workers());
    return states.isEmpty() ? "none" : states;
  }

  private static List<String> failedBoots(List<WorkerStatus> workers, Instant now) {
    var failed =
        workers.stream()
            .filter(WorkerLines::neverBooted)
            .filter(w -> w.since().isAfter(now.minus(RECENT)))
            .toList();
    if (failed.isEmpty()) return List.of();
    var newest = failed.getFirst();
    var why = newest.problem().or(newest::reason).orElse("unknown reason");
    return List.of(
        "no boot    %s in the last hour; %s: %s"
            .formatted(HumanFormat.count(failed.size()), newest.name(), PrintableText.line(why)));
  }

  private static Table pools(ClusterStatus cluster) {
    var table = new Table("POOL", "MACHINE", "PROVISIONING", "LIVE", "MIN", "MAX").right(3, 4, 5);
    for (var p : cluster.pools())
      table.row(
          TableCell.of(p.name()),
          TableCell.of(p.machineType()),
          TableCell.of(p.provisioning()),
          TableCell.of(p.live()),
          TableCell.of(p.min()),
          TableCell.of(p.max()));
    return table;
  }
}
