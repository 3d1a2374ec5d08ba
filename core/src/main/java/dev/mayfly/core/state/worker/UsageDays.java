package dev.mayfly.core.state.worker;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.FailureLog;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Adds the usage of ended machines up by day and by month, in the tick, and that of jobs with a
 * {@code maxUsd} in the job's document. A machine is added by the commit that deletes its document,
 * on condition that nobody else changed the day, the month or the job meanwhile: so each is counted
 * once, whoever else adds up.
 */
public final class UsageDays {
  /** The most ended machines of one commit; a storm's others wait for the next minute. */
  private static final int MACHINES = 200;

  private static final int COMMITS = 5;

  /** The most days' documents that one reading sees; a machine lives for fewer days. */
  private static final int DOCUMENTS = 500;

  /** A worker with more entries gives them away while it lives. */
  private static final int MOST_ENTRIES = 32;

  private final Context context;

  public UsageDays(Context context) {
    this.context = context;
  }

  /**
   * Adds up what has ended, and what long lists of living workers have counted.
   *
   * @param live jobs that are known; others are read if a machine ran tasks of them
   * @param failureLog is told of what cannot be read, and so is not added up
   * @param changed gets the jobs that it changed, as they are stored now
   */
  public void run(
      String cluster,
      List<VersionedDocument<Worker>> workers,
      List<Job> live,
      FailureLog failureLog,
      Consumer<VersionedDocument<Job>> changed) {
    for (var worker : workers) if (entries(worker.value()) > MOST_ENTRIES) give(worker);
    var unlimited =
        live.stream()
            .filter(job -> job.maxUsd().isEmpty())
            .map(Job::uid)
            .collect(Collectors.toSet());
    for (var i = 0; i < COMMITS; i++) if (!addUp(cluster, unlimited, changed, failureLog)) break;
  }

  private static int entries(Worker worker) {
    return worker.usage().map(it -> it.entries().size()).orElse(0);
  }

  /** A worker that changed meanwhile gives its entries in the next minute. */
  private void give(VersionedDocument<Worker> worker) {
    var writes = new ArrayList<LedgerWrite>();
    writes.add(new LedgerWrite.Update(UsageWrites.without(worker.value()), worker.version()));
    UsageWrites.of(worker.value(), context.clock().instant()).ifPresent(writes::add);
    var _ = context.ledger().commit(writes);
  }

  /** Whether there may be more. */
  private boolean addUp(
      String cluster,
      Set<String> unlimited,
      Consumer<VersionedDocument<Job>> changed,
      FailureLog failureLog) {
    var ended = read(cluster, Usage.ENDED, MACHINES, failureLog);
    var first = ended.stream().flatMap(it -> it.value().rows().stream()).map(Usage.Row::day);
    var from = first.min(Comparator.naturalOrder());
    if (from.isEmpty()) return false;
    // Days and machines of one reading: a machine that somebody added before it is not among them,
    // and who adds it later changes its day.
    var seen = read(cluster, from.get().toString(), DOCUMENTS, failureLog);
    var days = seen.stream().filter(it -> !it.value().isEnded()).toList();
    var all = seen.stream().filter(it -> it.value().isEnded()).toList();
    var jobs =
        new JobSums(
            context.ledger(), all.stream().map(VersionedDocument::value).toList(), unlimited);
    var machines = new ArrayList<VersionedDocument<Usage>>();
    for (var it : all) if (machines.size() < MACHINES && jobs.add(it.value())) machines.add(it);
    if (machines.isEmpty()) return false;
    var writes = new ArrayList<>(jobs.writes());
    var rows = machines.stream().flatMap(it -> it.value().rows().stream()).toList();
    writes.addAll(new MonthSums(context.ledger(), cluster).adding(rows));
    byDay(machines).forEach((day, some) -> writes.add(write(cluster, day, some, last(days, day))));
    machines.forEach(it -> writes.add(new LedgerWrite.Delete(it.value().key())));
    if (!(context.ledger().commit(writes) instanceof CommitResult.Done done)) return false;
    jobs.written(done.versions()).forEach(changed);
    return ended.size() == MACHINES;
  }

  private List<VersionedDocument<Usage>> read(
      String cluster, String from, int limit, FailureLog failureLog) {
    return context
        .ledger()
        .query(new LedgerQuery.Usages(cluster, from, limit))
        .readable(failureLog::unreadable);
  }

  private static Map<LocalDate, List<Usage.Row>> byDay(List<VersionedDocument<Usage>> machines) {
    var days = new TreeMap<LocalDate, List<Usage.Row>>();
    for (var machine : machines)
      for (var row : machine.value().rows())
        days.computeIfAbsent(row.day(), _ -> new ArrayList<>()).add(row);
    return days;
  }

  private static Optional<VersionedDocument<Usage>> last(
      List<VersionedDocument<Usage>> days, LocalDate day) {
    return days.stream()
        .filter(it -> it.value().id().startsWith(day + "."))
        .max(Comparator.comparingInt(it -> it.value().number()));
  }

  private static LedgerWrite write(
      String cluster,
      LocalDate day,
      List<Usage.Row> rows,
      Optional<VersionedDocument<Usage>> before) {
    if (before.isEmpty())
      return new LedgerWrite.Create(new Usage(cluster, Usage.id(day, 0), Usage.sum(rows)));
    var sums = new ArrayList<>(before.get().value().rows());
    sums.addAll(rows);
    var all = Usage.sum(sums);
    var number = before.get().value().number();
    return all.size() > Usage.MOST_ROWS
        ? new LedgerWrite.Create(new Usage(cluster, Usage.id(day, number + 1), Usage.sum(rows)))
        : new LedgerWrite.Update(
            new Usage(cluster, Usage.id(day, number), all), before.get().version());
  }
}
