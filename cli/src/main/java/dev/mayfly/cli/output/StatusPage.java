package dev.mayfly.cli.output;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.worker.Ending;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.core.query.cost.ClusterCost;
import dev.mayfly.core.query.schedule.ScheduleStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Formats the status of one cluster: pools, workers by state, resource usage, heartbeats, failed
 * boots and jobs.
 */
public final class StatusPage {
  private static final Duration RECENT = Duration.ofHours(1);

  /** Where the texts after labels begin. */
  private static final int LABEL = 13;

  private StatusPage() {}

  /**
   * @param workers including gone workers
   * @param cost by job
   * @param isLaptop whether nothing is charged for machines
   */
  public static List<String> lines(
      ClusterStatus cluster,
      List<WorkerStatus> workers,
      List<JobStatus> jobs,
      Optional<ClusterCost> cost,
      boolean isLaptop,
      Instant now,
      Screen screen) {
    var lines = new ArrayList<String>();
    lines.addAll(screen.wrapped(title(cluster, now, screen), LABEL));
    lines.addAll(labelled(Style.PLAIN, "workers    " + states(cluster), screen));
    failedBoots(workers, now).forEach(f -> lines.addAll(labelled(Style.BAD, f, screen)));
    var used = HumanFormat.usage(cluster.used(), cluster.total(), cluster.accelerators());
    lines.addAll(labelled(Style.PLAIN, "in use     " + used, screen));
    cost.ifPresent(it ->
        lines.addAll(labelled(Style.PLAIN, "cost       " + CostPage.line(it, isLaptop), screen)));
    GpuSummary.of(workers.stream().flatMap(w -> w.gpus().stream()).toList())
        .ifPresent(
            gpus -> lines.addAll(labelled(Style.PLAIN, "gpus       " + gpus.line(), screen)));
    cluster
        .sharing()
        .ifPresent(it ->
            lines.addAll(
                labelled(Style.PLAIN, "owners     " + PrintableText.line(it.text()), screen)));
    for (var idle : cluster.idle())
      lines.addAll(labelled(Style.PLAIN, "kept idle  " + PrintableText.line(idle), screen));
    for (var trouble : cluster.problems())
      lines.addAll(labelled(Style.WARN, "trouble    " + PrintableText.line(trouble), screen));
    for (var table : tables(cluster, workers, jobs, cost, now)) section(lines, table, screen);
    return lines;
  }

  /** What is missing in its tables on this screen; empty if nothing is. */
  public static Optional<String> missing(
      ClusterStatus cluster,
      List<WorkerStatus> workers,
      List<JobStatus> jobs,
      Optional<ClusterCost> cost,
      Instant now,
      Screen screen) {
    return tables(cluster, workers, jobs, cost, now).stream()
            .anyMatch(table -> table.missing(inner(screen)).isPresent())
        ? Optional.of(
            "tables are cut to %d columns; all of them: -o wide".formatted(screen.width()))
        : Optional.empty();
  }

  private static List<Table> tables(
      ClusterStatus cluster,
      List<WorkerStatus> workers,
      List<JobStatus> jobs,
      Optional<ClusterCost> cost,
      Instant now) {
    var present = workers.stream().filter(WorkerLines::present).toList();
    return List.of(
        pools(cluster),
        schedules(cluster.schedules(), now),
        WorkerLines.table(present, now),
        JobLines.table(jobs, CostPage.ofJobs(jobs, cost), false, now));
  }

  private static List<String> labelled(Style style, String text, Screen screen) {
    return screen.wrapped("  " + screen.paint(style, text), LABEL);
  }

  private static Screen inner(Screen screen) {
    return screen.withWidth(screen.width() - 2);
  }

  private static void section(List<String> lines, Table table, Screen screen) {
    if (table.isEmpty()) return;
    lines.add("");
    table.lines(inner(screen)).forEach(line -> lines.add("  " + line));
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
    var lines = new ArrayList<String>();
    var unbooted = failed.stream().filter(w -> !isRefused(w)).toList();
    var refused = failed.stream().filter(StatusPage::isRefused).toList();
    newest(unbooted, "no boot", workers, now).ifPresent(lines::add);
    newest(refused, "refused", workers, now).ifPresent(lines::add);
    return lines;
  }

  /** There was no machine that could have booted. */
  private static boolean isRefused(WorkerStatus worker) {
    return worker.ending().equals(Optional.of(Ending.REFUSED));
  }

  /**
   * How many failed, since when, and why the newest did, of which it is said if machines of its
   * pool came since.
   *
   * @param failed the newest first
   */
  private static Optional<String> newest(
      List<WorkerStatus> failed, String label, List<WorkerStatus> workers, Instant now) {
    if (failed.isEmpty()) return Optional.empty();
    var newest = failed.getFirst();
    var first = failed.stream().map(WorkerStatus::since).min(Comparator.naturalOrder()).get();
    var why = newest.problem().or(newest::reason).orElse("unknown reason");
    var came =
        workers.stream()
            .filter(w -> w.pool().equals(newest.pool()))
            .filter(w -> w.firstSyncAt().filter(newest.since()::isBefore).isPresent())
            .count();
    return Optional.of(
        "%-11s%s in the last hour%s; %s: %s%s"
            .formatted(
                label,
                HumanFormat.count(failed.size()),
                first.isBefore(newest.since())
                    ? ", the first %s ago".formatted(HumanFormat.age(first, now))
                    : "",
                newest.name(),
                PrintableText.line(why),
                came == 0
                    ? ""
                    : "; since then %s of pool %s came"
                        .formatted(HumanFormat.count(came, "machine"), newest.pool())));
  }

  /** The jobs that are submitted again and again. */
  public static Table schedules(List<ScheduleStatus> schedules, Instant now) {
    var table =
        new Table(
            List.of(
                Column.name("SCHEDULE"),
                Column.text("WHEN"),
                Column.word("NEXT"),
                Column.word("LAST"),
                Column.number("AGO"),
                Column.number("MISSED").leaves(1),
                Column.prose("WHY")));
    for (var s : schedules)
      table.row(
          TableCell.of(s.address()),
          TableCell.of(s.when()),
          s.next()
              .map(at -> TableCell.of("in " + HumanFormat.age(now, at)))
              .orElse(TableCell.state(s.state())),
          s.last().map(last -> TableCell.state(state(last))).orElse(TableCell.of("-")),
          s.last()
              .map(last -> TableCell.of(HumanFormat.age(last.due(), now)))
              .orElse(TableCell.of("-")),
          TableCell.of(s.missed()),
          TableCell.of(s.last().flatMap(ScheduleStatus.Last::why).orElse("")));
    return table;
  }

  /** Of its job, if there is one. */
  private static String state(ScheduleStatus.Last last) {
    return last.state().orElse(last.outcome());
  }

  private static Table pools(ClusterStatus cluster) {
    var table =
        new Table("POOL", "MACHINE", "PROVISIONING", "LIVE", "WANTED", "MIN", "MAX")
            .right(3, 4, 5, 6);
    for (var p : cluster.pools())
      table.row(
          TableCell.of(p.name()),
          TableCell.of(p.machineType()),
          TableCell.of(p.provisioning()),
          TableCell.of(p.live()),
          p.wanted().map(TableCell::of).orElse(TableCell.of("-")),
          TableCell.of(p.min()),
          most(p));
    return table;
  }

  /** Types among which a pool chooses have one maximum. */
  private static TableCell most(ClusterStatus.PoolView pool) {
    return PoolSpec.isChoice(pool.name())
        ? TableCell.of(pool.max() + " in all")
        : TableCell.of(pool.max());
  }
}
