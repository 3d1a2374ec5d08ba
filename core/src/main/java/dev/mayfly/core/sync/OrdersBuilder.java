package dev.mayfly.core.sync;

import dev.mayfly.core.dispatch.GrantListener;
import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.gang.GangOrder;
import dev.mayfly.core.model.gang.GangReport;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.KeptFolders;
import dev.mayfly.core.plan.capacity.OutrankedTasks;
import dev.mayfly.core.plan.lease.LeaseParts;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.job.GangCoordinator;
import dev.mayfly.core.state.job.JobCache;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Builds an agent's orders from its worker document and decides whether they are worth an answer
 * now.
 */
final class OrdersBuilder implements GrantListener {
  /** What the agent must know of a lease, as stored. */
  private record View(
      long end,
      TaskSet skip,
      Optional<TaskSet> stop,
      Optional<TaskItem> item,
      TaskSet again,
      Instant leasedAt) {}

  private final Context context;
  private final JobCache jobs;
  private final Map<String, Map<LeaseRef, View>> views = new HashMap<>();
  private final Map<String, Instant> drains = new HashMap<>();
  private long generation;
  private final GangCoordinator gangCoordinator;

  OrdersBuilder(Context context, JobCache jobs, GangCoordinator gangCoordinator) {
    this.gangCoordinator = gangCoordinator;
    this.context = context;
    this.jobs = jobs;
  }

  SyncOrders fenced(SyncReport report) {
    var now = context.clock().instant();
    return new SyncOrders(
        report.seq(),
        now,
        now.plus(context.timings().syncInterval()),
        List.of(),
        List.of(),
        Optional.empty(),
        true,
        List.of(),
        List.of());
  }

  SyncOrders build(Worker worker, SyncReport report) {
    return build(worker, report, new HashMap<>());
  }

  /**
   * The same for one of many workers.
   *
   * @param read jobs read for other workers since the last grant was committed
   */
  SyncOrders build(Worker worker, SyncReport report, Map<String, Optional<Job>> read) {
    var now = context.clock().instant();
    var unknown = new HashSet<LeaseRef>();
    var known = report.host() == 0 ? views(worker, unknown) : Map.<LeaseRef, View>of();
    var reported = new HashSet<LeaseRef>();
    LeaseParts.apart(worker, report).leases().forEach(l -> reported.add(l.ref()));
    var leases = new ArrayList<SyncOrders.Lease>();
    var specs = new LinkedHashMap<String, JobInfo>();
    var followed = new TreeSet<String>();
    for (var held : worker.held()) {
      var view = known.get(held.ref());
      if (view == null || held.gang()) continue;
      try {
        // A lease that is new to the agent was granted from an older read of its job: if the job
        // was stopped in between, the lease comes with its recall and nothing of it ever starts.
        var job =
            reported.contains(held.ref())
                ? jobs.lastKnown(held.job(), view.leasedAt())
                : read.computeIfAbsent(held.job(), jobs::reload);
        var jobInfo = job.flatMap(j -> jobs.jobInfo(j, worker.zone()));
        var hash = jobInfo.map(JobInfo::hash).orElse("");
        leases.add(
            OutrankedTasks.ordered(
                new SyncOrders.Lease(
                    held.ref(),
                    view.end(),
                    view.skip(),
                    hash,
                    !job.map(Job::running).orElse(false),
                    view.stop(),
                    view.item().filter(_ -> !reported.contains(held.ref())),
                    Optional.empty()),
                held));
        jobInfo.ifPresent(s -> specify(s, report, specs));
        if (job.filter(j -> j.isFollowed(now)).isPresent()) followed.add(held.job());
      } catch (UnreadableDocumentException job) {
        unknown.add(held.ref());
      }
    }
    if (!unknown.isEmpty()) keepUnclear(worker, report, unknown, leases);
    for (var held : worker.held())
      if (held.gang() && jobs.isReadable(held.job())) {
        var job = jobs.job(held.job());
        job.flatMap(j -> jobs.jobInfo(j, worker.zone())).ifPresent(s -> specify(s, report, specs));
        if (job.filter(j -> j.isFollowed(now)).isPresent()) followed.add(held.job());
      }
    var gang = worker.inGang() ? gangCoordinator.orders(worker, report) : List.<GangOrder>of();
    return new SyncOrders(
        report.seq(),
        now,
        now.plus(context.timings().syncInterval()),
        LeaseParts.together(worker, leases),
        List.copyOf(specs.values()),
        drain(worker),
        false,
        List.copyOf(followed),
        gang,
        drainReason(worker),
        KeptFolders.ordered(worker, gang, report, now));
  }

  /** Of a parted lease nothing is known while one of its parts is unknown. */
  private static void keepUnclear(
      Worker worker, SyncReport report, Set<LeaseRef> unknown, List<SyncOrders.Lease> leases) {
    var unclear = new HashSet<LeaseRef>();
    for (var held : worker.held()) if (unknown.contains(held.ref())) unclear.add(held.known());
    for (var held : worker.held())
      if (unclear.contains(held.known())) leases.removeIf(l -> l.ref().equals(held.ref()));
    for (var lease : report.leases())
      if (unclear.contains(lease.ref())) leases.add(unchanged(lease));
  }

  private static void specify(JobInfo jobInfo, SyncReport report, Map<String, JobInfo> specs) {
    if (!report.knows().contains(jobInfo.hash())) specs.put(jobInfo.hash(), jobInfo);
  }

  /** Without the ledger the orders repeat the report: nothing changes for the agent. */
  SyncOrders unchanged(SyncReport report) {
    var now = context.clock().instant();
    var unchanged = report.leases().stream().map(OrdersBuilder::unchanged).toList();
    return new SyncOrders(
        report.seq(),
        now,
        now.plus(context.timings().syncInterval()),
        unchanged,
        List.of(),
        Optional.empty(),
        false,
        List.of(),
        report.gang().stream().map(GangCoordinator::nothing).toList());
  }

  /** For a lease of unknown state the orders repeat the report. */
  private static SyncOrders.Lease unchanged(SyncReport.Lease reported) {
    return new SyncOrders.Lease(reported.ref(), reported.end(), reported.done(), "", false);
  }

  private static Optional<Instant> drain(Worker worker) {
    return switch (worker.state()) {
      case WorkerState.Draining d -> Optional.of(d.deadline());
      case WorkerState.Drained d -> Optional.of(d.since());
      default -> Optional.empty();
    };
  }

  private static Optional<DrainReason> drainReason(Worker worker) {
    return worker.state() instanceof WorkerState.Draining d
        ? Optional.of(d.why())
        : Optional.empty();
  }

  /** Whether the orders contain anything that the report does not show as known. */
  synchronized boolean hasNews(SyncOrders orders, SyncReport report) {
    if (hasGangNews(orders, report) || orders.fenced() || !orders.specs().isEmpty()) return true;
    if (orders.drain().isPresent()
        && !report.drained()
        && !orders.drain().get().equals(drains.put(sender(report), orders.drain().get())))
      return true;
    var reported = new HashMap<LeaseRef, SyncReport.Lease>();
    report.leases().forEach(l -> reported.put(l.ref(), l));
    var ordered = new HashSet<LeaseRef>();
    for (var lease : orders.leases()) {
      ordered.add(lease.ref());
      var has = reported.get(lease.ref());
      if (has == null
          || has.end() != lease.end()
          || (lease.recall() && !has.released())
          || lease.stop().filter(has::mayRun).isPresent()) return true;
    }
    return !ordered.containsAll(reported.keySet());
  }

  /**
   * Whether the orders contain steps that the agent has not taken, or omit gangs that it knows and
   * that are over. Only the report counts: an answer with a step in it may have been lost.
   */
  private static boolean hasGangNews(SyncOrders orders, SyncReport report) {
    var known = new HashMap<LeaseRef, GangReport>();
    report.gang().forEach(g -> known.put(g.lease(), g));
    var ordered = orders.gang().stream().map(GangOrder::lease).collect(Collectors.toSet());
    return !known.keySet().equals(ordered)
        || orders.gang().stream().anyMatch(o -> !taken(o, known.get(o.lease())));
  }

  private static boolean taken(GangOrder order, @Nullable GangReport report) {
    if (report == null || order.run() > report.run()) return false;
    return order.run() < report.run() || order.step().compareTo(report.took()) <= 0;
  }

  private static String sender(SyncReport report) {
    return report.host() == 0 ? report.worker() : report.sender().toString();
  }

  /** Stores the leases as granted, so that they need not be read. */
  @Override
  public synchronized void granted(String worker, List<Shard> shards) {
    var map = views.computeIfAbsent(worker, w -> new HashMap<>());
    for (var s : shards) map.put(ref(s), view(s));
  }

  @Override
  public synchronized void invalidate(String worker) {
    views.remove(worker);
    generation++;
  }

  /** Forgets all workers but these. */
  synchronized void retainAll(Set<String> workers) {
    views.keySet().retainAll(workers);
    drains.keySet().removeIf(s -> !workers.contains(s.replaceFirst("/.*", "")));
  }

  /** No lock is held while shards are read: what is invalidated during the read is not stored. */
  private Map<LeaseRef, View> views(Worker worker, Set<LeaseRef> unknown) {
    var views = new HashMap<LeaseRef, View>();
    var missing = new ArrayList<DocumentKey.OfShard>();
    long begun;
    synchronized (this) {
      var known = this.views.computeIfAbsent(worker.name(), w -> new HashMap<>());
      for (var held : worker.held()) {
        if (held.gang()) continue;
        var view = known.get(held.ref());
        if (view != null) views.put(held.ref(), view);
        else missing.add(new DocumentKey.OfShard(worker.cluster(), held.job(), held.start()));
      }
      if (known.size() > views.size()) known.keySet().retainAll(views.keySet());
      begun = generation;
    }
    if (missing.isEmpty()) return views;
    var found = context.ledger().readAll(missing);
    for (var stored : found.readableOnly()) views.put(ref(stored.value()), view(stored.value()));
    for (var shard : found.unreadable())
      for (var held : worker.held())
        if (new DocumentKey.OfShard(worker.cluster(), held.job(), held.start())
            .path()
            .equals(shard.path())) unknown.add(held.ref());
    remember(worker.name(), views, begun);
    unknown.addAll(changed(worker, views.keySet(), unknown));
    return views;
  }

  /**
   * Leases of whose shards nothing was found, if the worker's document has changed since it was
   * read: they may be parted by now, and what runs of them is wanted.
   */
  private Set<LeaseRef> changed(Worker worker, Set<LeaseRef> found, Set<LeaseRef> unknown) {
    var left =
        worker.held().stream()
            .filter(h -> !h.gang())
            .map(Worker.Held::ref)
            .filter(ref -> !found.contains(ref) && !unknown.contains(ref))
            .collect(Collectors.toSet());
    if (left.isEmpty()) return left;
    var holds =
        context.ledger().readAll(List.of(worker.key())).readableOnly().stream()
            .flatMap(stored -> stored.value().held().stream())
            .map(Worker.Held::ref)
            .collect(Collectors.toSet());
    return holds.containsAll(left) ? Set.of() : left;
  }

  /** By lease, the tasks that users retried since its grant and that are not done. */
  Map<LeaseRef, TaskSet> retried(Worker worker) {
    var retried = new HashMap<LeaseRef, TaskSet>();
    views(worker, new HashSet<>()).forEach((ref, view) -> retried.put(ref, view.again()));
    retried.values().removeIf(TaskSet::isEmpty);
    return retried;
  }

  private synchronized void remember(String worker, Map<LeaseRef, View> read, long begun) {
    if (begun == generation) views.computeIfAbsent(worker, w -> new HashMap<>()).putAll(read);
  }

  private static LeaseRef ref(Shard shard) {
    return new LeaseRef(shard.job(), shard.start(), shard.epoch());
  }

  private static View view(Shard shard) {
    return new View(
        shard.end(),
        shard.done().or(shard.failed()),
        Optional.of(shard.recalled()).filter(stop -> !stop.isEmpty()),
        shard.item(),
        shard.again().without(shard.done()),
        shard.leasedAt());
  }
}
