package dev.mayfly.core.control;

import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.plan.Spans;
import dev.mayfly.core.plan.Versions;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What people see of the workers of one cluster, as they were when this was made. */
final class WorkerViews {
  /** The state of one whose document cannot be read. */
  static final String UNREADABLE = "unreadable";

  private final Cluster cluster;
  private final Ledger ledger;
  private final Instant now;
  private final Rules rules;
  private final Map<String, Instant> due;
  private final Map<String, Job> jobs = new HashMap<>();

  WorkerViews(Ledger ledger, Instant now, Rules rules, Cluster cluster) {
    this.cluster = cluster;
    this.ledger = ledger;
    this.now = now;
    this.rules = rules;
    due = due(ledger, cluster.uid());
  }

  private static Map<String, Instant> due(Ledger ledger, String cluster) {
    var due = new HashMap<String, Instant>();
    for (var beats : ledger.query(new Query.AllBeats(cluster)).some())
      beats.value().due().forEach((w, at) -> due.merge(w, at, (a, b) -> a.isAfter(b) ? a : b));
    return due;
  }

  WorkerView view(Worker worker) {
    var leases = leases(worker);
    var idle =
        worker.state() instanceof WorkerState.Ready r ? r.idleSince() : Optional.<Instant>empty();
    return new WorkerView(
        worker.name(),
        worker.pool(),
        worker.zone(),
        worker.machineType(),
        word(worker),
        worker.state().since(),
        reason(worker.state()),
        Optional.ofNullable(due.get(worker.name())).filter(d -> worker.state().live()),
        idle,
        worker.total(),
        leases,
        worker.createdAt(),
        worker.firstSyncAt(),
        worker.instanceId(),
        problem(worker));
  }

  /** What is known of every such machine comes last: it hides nothing of this one. */
  private Optional<String> problem(Worker worker) {
    return worker
        .problem()
        .filter(p -> !p.startsWith(SyncReport.UNLIMITED))
        .or(() -> silent(worker, due.get(worker.name())))
        .or(() -> stale(worker))
        .or(worker::problem);
  }

  private List<WorkerView.LeaseView> leases(Worker worker) {
    var shards = new HashMap<Key<?>, Shard>();
    var keys = worker.held().stream().map(h -> key(worker, h)).toList();
    for (var stored : ledger.readAll(keys).some()) shards.put(stored.value().key(), stored.value());
    var views = new ArrayList<WorkerView.LeaseView>();
    var free = worker.total();
    for (var held : worker.held()) {
      var shard = shards.get(key(worker, held));
      if (shard == null) continue;
      var running = Math.min(shard.open(), Math.max(0, free.slots(held.need())));
      free = free.minus(held.need().times(running));
      views.add(lease(shard, running));
    }
    views.sort(Comparator.comparing(WorkerView.LeaseView::since));
    return views;
  }

  private static Key.OfShard key(Worker worker, Worker.Held held) {
    return new Key.OfShard(worker.cluster(), held.job(), held.start());
  }

  /** One of which nothing is known but its name, and when it is due. */
  WorkerView unreadable(UnreadableDocument worker) {
    return new WorkerView(
        worker.id(),
        "",
        "",
        "",
        UNREADABLE,
        now,
        Optional.empty(),
        Optional.ofNullable(due.get(worker.id())),
        Optional.empty(),
        Resources.ZERO,
        List.of(),
        now,
        Optional.empty(),
        Optional.empty(),
        Optional.of(worker.toString()));
  }

  private Optional<String> stale(Worker worker) {
    return worker.state().live() ? Versions.stale(cluster, worker) : Optional.empty();
  }

  private Optional<String> silent(Worker worker, @Nullable Instant due) {
    if (due == null || !(worker.state() instanceof WorkerState.Ready)) return Optional.empty();
    if (!due.plus(rules.silentAfter()).isBefore(now)) return Optional.empty();
    return Optional.of("silent: its sync was due " + Spans.ago(due, now));
  }

  private WorkerView.LeaseView lease(Shard s, long running) {
    var job =
        jobs.computeIfAbsent(
            s.job(),
            uid ->
                ledger.readAll(List.of(new Key.OfJob(s.cluster(), uid))).some().stream()
                    .map(Stored::value)
                    .findFirst()
                    .orElse(null));
    var name = job == null ? s.job() : job.spec().name();
    return new WorkerView.LeaseView(
        s.job(),
        name,
        s.start(),
        s.end(),
        s.done().count() + s.failed().count(),
        running,
        s.leasedAt());
  }

  /** One word: its state, or what a ready one is that takes no tasks. */
  static String word(Worker worker) {
    var problem = worker.problem().orElse("");
    if (worker.state() instanceof WorkerState.Ready && problem.startsWith(SyncReport.PREPARING))
      return "preparing";
    if (worker.state() instanceof WorkerState.Ready && problem.startsWith(SyncReport.UNFIT))
      return "unfit";
    return worker.state().getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  static Optional<String> reason(WorkerState state) {
    return switch (state) {
      case WorkerState.Draining d -> Optional.of(d.reason());
      case WorkerState.Drained d -> Optional.of(d.reason());
      case WorkerState.Lost l -> Optional.of(l.reason());
      case WorkerState.Gone g -> Optional.of(g.reason());
      case WorkerState.Launching l -> Optional.empty();
      case WorkerState.Booting b -> Optional.empty();
      case WorkerState.Ready r -> Optional.empty();
    };
  }
}
