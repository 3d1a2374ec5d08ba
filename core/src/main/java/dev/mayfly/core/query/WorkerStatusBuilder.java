package dev.mayfly.core.query;

import dev.mayfly.core.catalog.FlexStart;
import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.GpuUse;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.sync.MeasuredGpus;
import dev.mayfly.core.model.sync.MeasuredMachine;
import dev.mayfly.core.model.sync.MeasuredMounts;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.model.worker.Ending;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.FullStorage;
import dev.mayfly.core.plan.capacity.BootTime;
import dev.mayfly.core.plan.capacity.Cordons;
import dev.mayfly.core.plan.capacity.HeldRuns;
import dev.mayfly.core.plan.capacity.PoolVersions;
import dev.mayfly.core.plan.lease.LivenessPolicy;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.state.worker.DueTimes;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** Builds what users see of one cluster's workers, as of its construction. */
final class WorkerStatusBuilder {
  /** The state of a worker whose document is unreadable. */
  static final String UNREADABLE = "unreadable";

  private final Cluster cluster;
  private final Ledger ledger;
  private final Instant now;
  private final Timings timings;
  private final SortedMap<String, Instant> due;
  private final List<Worker> beside;
  private final Map<String, String> kept;
  private final Map<String, Job> jobs = new HashMap<>();

  /**
   * @param beside other workers, by which it is told that one takes long
   * @param kept by worker, why it is kept although it is idle
   */
  WorkerStatusBuilder(
      Ledger ledger,
      Instant now,
      Timings timings,
      Cluster cluster,
      List<Worker> beside,
      Map<String, String> kept) {
    this.beside = beside;
    this.cluster = cluster;
    this.ledger = ledger;
    this.now = now;
    this.timings = timings;
    this.kept = kept;
    due = DueTimes.stored(ledger, cluster.uid());
  }

  WorkerStatus view(Worker worker) {
    var leases = leases(worker);
    var idle =
        worker.state() instanceof WorkerState.Ready r ? r.idleSince() : Optional.<Instant>empty();
    var problem = problem(worker);
    return new WorkerStatus(
        worker.name(),
        worker.pool(),
        worker.zone(),
        worker.machineType(),
        word(worker, now),
        worker.state().since(),
        reason(worker).or(() -> cordoned(worker)).or(() -> idle(worker)),
        Optional.ofNullable(due.get(worker.name())).filter(d -> worker.state().live()),
        idle,
        worker.total(),
        leases,
        worker.createdAt(),
        worker.firstSyncAt(),
        worker.instanceId(),
        problem,
        kind(worker, problem),
        worker.mounts().map(MeasuredMounts::uses).orElse(List.of()),
        gpus(worker),
        usd(worker),
        worker.usage().flatMap(MachineUsage::usdPerHour),
        ending(worker),
        worker.machineUse().map(MeasuredMachine::use).filter(_ -> worker.state().live()));
  }

  private static Optional<Ending> ending(Worker worker) {
    return Ending.of(worker.state(), worker.notice().isPresent());
  }

  /**
   * From when the cloud runs it to the proof that the machine is gone; a refused order costs
   * nothing.
   */
  private Optional<Double> usd(Worker worker) {
    if (ending(worker).equals(Optional.of(Ending.REFUSED))) return Optional.empty();
    var until = worker.state() instanceof WorkerState.Gone gone ? gone.since() : now;
    return worker
        .usage()
        .flatMap(usage -> usage.usdPerHour().map(price -> price * paid(worker, usage, until)));
  }

  /** For how many hours. */
  private static double paid(Worker worker, MachineUsage usage, Instant until) {
    if (usage.waits()) return 0;
    var since = usage.start().map(MachineUsage.Start::since).orElse(worker.createdAt());
    return Duration.between(since, until).toMillis() / 3_600_000.0;
  }

  /** Those of a machine that is away are history, and not shown. */
  static List<GpuUse> gpus(Worker worker) {
    return worker.state().live()
        ? worker.gpuUses().map(MeasuredGpus::uses).orElse(List.of())
        : List.of();
  }

  /** Problems of all such machines come last, so that they hide none of this one. */
  private Optional<String> problem(Worker worker) {
    return reported(worker)
        .filter(_ -> !worker.has(MachineProblem.Kind.UNLIMITED))
        .or(() -> silent(worker))
        .or(() -> late(worker))
        .or(() -> stale(worker))
        .or(() -> FullStorage.of(List.of(worker)).stream().findFirst().map(FullStorage::text))
        .or(() -> reported(worker));
  }

  /** Of a machine that does not come. */
  private Optional<String> late(Worker worker) {
    if (!(worker.state() instanceof WorkerState.Booting)
        || !BootTime.isLate(worker, BootTime.usual(worker.pool(), beside), now))
      return Optional.empty();
    return BootTime.givenUpAt(worker)
        .map(at -> "%s; it is given up at %s".formatted(BootTime.late(worker, now), second(at)));
  }

  private static Optional<String> reported(Worker worker) {
    return worker.machineProblem().map(MachineProblem::text);
  }

  /** Of the problem that is shown. */
  private static Optional<MachineProblem.Kind> kind(Worker worker, Optional<String> shown) {
    return shown.equals(reported(worker))
        ? worker.machineProblem().map(MachineProblem::kind)
        : Optional.empty();
  }

  private List<WorkerStatus.LeaseView> leases(Worker worker) {
    var shards = new HashMap<DocumentKey<?>, Shard>();
    var keys = worker.held().stream().map(h -> key(worker, h)).toList();
    for (var stored : ledger.readAll(keys).readableOnly())
      shards.put(stored.value().key(), stored.value());
    var views = new ArrayList<WorkerStatus.LeaseView>();
    var runs = HeldRuns.of(worker);
    for (var i = 0; i < runs.size(); i++) {
      var shard = shards.get(key(worker, worker.held().get(i)));
      if (shard != null) views.add(lease(shard, Math.min(shard.open(), runs.get(i))));
    }
    views.sort(Comparator.comparing(WorkerStatus.LeaseView::since));
    return views;
  }

  private static DocumentKey.OfShard key(Worker worker, Worker.Held held) {
    return new DocumentKey.OfShard(worker.cluster(), held.job(), held.start());
  }

  /** A worker of which only the name and due time are known. */
  WorkerStatus unreadable(UnreadableDocument worker) {
    return new WorkerStatus(
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
        Optional.of(worker.toString()),
        Optional.empty(),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private Optional<String> stale(Worker worker) {
    return worker.state().live() ? PoolVersions.stale(cluster, worker) : Optional.empty();
  }

  private Optional<String> silent(Worker worker) {
    if (!(worker.state() instanceof WorkerState.Ready)) return Optional.empty();
    return LivenessPolicy.of(timings)
        .silentSince(worker.name(), due, now)
        .map(at -> "silent: its report was due " + HumanDuration.ago(at, now));
  }

  private WorkerStatus.LeaseView lease(Shard s, long running) {
    var job =
        jobs.computeIfAbsent(
            s.job(),
            uid ->
                ledger
                    .readAll(List.of(new DocumentKey.OfJob(s.cluster(), uid)))
                    .readableOnly()
                    .stream()
                    .map(VersionedDocument::value)
                    .findFirst()
                    .orElse(null));
    var name = job == null ? s.job() : job.spec().name();
    return new WorkerStatus.LeaseView(
        s.job(),
        name,
        s.start(),
        s.end(),
        s.done().count() + s.failed().count(),
        running,
        s.leasedAt());
  }

  /** Until when nothing new starts there, what that costs, and what ends it. */
  private Optional<String> cordoned(Worker worker) {
    return Cordons.of(worker, now)
        .map(cordon ->
            "%s, until %s; nothing new starts there%s; mayfly uncordon %s ends that"
                .formatted(
                    why(cordon),
                    cordon.until(),
                    IdleMachineReader.price(worker).map(usd -> ", and it costs " + usd).orElse(""),
                    worker.name()));
  }

  static String why(Cordon cordon) {
    var task =
        cordon
            .kept()
            .map(it ->
                "task %d of job %s, which failed there for good".formatted(it.task(), it.name()));
    if (task.isEmpty()) return cordon.why();
    var kept = cordon.kept().get();
    var host = kept.host() == 0 ? "" : " on host " + kept.host();
    var place =
        kept.folder().map(path -> " in " + path).orElse(", whose place its agent has not said");
    return "kept with the folder of %s%s%s (%s)".formatted(task.get(), host, place, cordon.why());
  }

  /** Why it is there although it does nothing, and what that costs. */
  private Optional<String> idle(Worker worker) {
    return Optional.ofNullable(kept.get(worker.name()))
        .map(why ->
            "kept idle %s%s"
                .formatted(why, IdleMachineReader.price(worker).map(usd -> "; " + usd).orElse("")));
  }

  /** One word: its state, or the condition of a ready worker that takes no tasks. */
  static String word(Worker worker, Instant now) {
    var ready = worker.state() instanceof WorkerState.Ready;
    if (ready && Cordons.of(worker, now).isPresent()) return "cordoned";
    if (ready && worker.has(MachineProblem.Kind.PREPARING)) return "preparing";
    if (ready && worker.has(MachineProblem.Kind.UNFIT)) return "unfit";
    if (worker.state() instanceof WorkerState.Booting booting && booting.queue().isPresent())
      return "queued";
    return worker.state().getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  static Optional<String> reason(Worker worker) {
    return switch (worker.state()) {
      case WorkerState.Draining d -> Optional.of(d.reason());
      case WorkerState.Drained d -> Optional.of(d.reason());
      case WorkerState.Lost l -> Optional.of(l.reason());
      case WorkerState.Gone g -> Optional.of(g.reason());
      case WorkerState.Launching l -> Optional.empty();
      case WorkerState.Booting b ->
          FlexStart.since(worker)
              .map(since ->
                  "requested by flex-start at %s; the cloud keeps the request until %s, and its end counts as a lack of stock in zone %s"
                      .formatted(second(since), second(FlexStart.until(since)), worker.zone()))
              .or(() ->
                  b.queue()
                      .map(queue ->
                          "the cloud keeps its order since %s: %s"
                              .formatted(queue.since(), queue.state())));
      case WorkerState.Ready r -> Optional.empty();
    };
  }

  private static Instant second(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }
}
