package dev.mayfly.sim.observation;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.text.TaskTemplate;
import dev.mayfly.sim.engine.SimTime;
import dev.mayfly.sim.fake.SimCodec;
import dev.mayfly.sim.fake.SimFleet;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.fake.SimObjectStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Everything that is true in a world, whether or not the control plane knows it. */
public final class GroundTruth {
  private static final Duration OWN_CUT_OFF = Duration.ofMinutes(16);

  private final SimTime time;
  private final SimLedger ledger;
  private final SimObjectStore objects;
  private final SimCodec codec;
  private final TreeMap<String, TaskProcess> running = new TreeMap<>();
  private final Map<String, Integer> ownFaults = new TreeMap<>();
  private final Map<String, Integer> begun = new TreeMap<>();
  private final Map<String, Instant> firstBegun = new TreeMap<>();
  private final TasksAtOnce atOnce = new TasksAtOnce();
  private final Map<String, Instant> troubled = new TreeMap<>();
  private final Set<String> inTrouble = new TreeSet<>();
  private final Map<String, Instant> disturbed = new TreeMap<>();
  private final Map<String, Instant> standing = new TreeMap<>();
  private final Set<String> survivors = new TreeSet<>();
  private final ObservedSentinels sentinels;
  private final ReportTakers takers;
  private final boolean checked;
  private Instant heardAt = Instant.MIN;
  private Instant unreachable = Instant.MIN;
  private Instant withoutTicks = Instant.MIN;
  private final Map<String, List<TaskItem>> lists = new TreeMap<>();
  private Optional<SyncReport> hearing = Optional.empty();
  private Optional<SimFleet> fleet = Optional.empty();

  /**
   * @param checked whether invariants ask for more than what runs
   */
  public GroundTruth(
      SimTime time, SimLedger ledger, SimObjectStore objects, SimCodec codec, boolean checked) {
    this.checked = checked;
    takers = new ReportTakers(time, ledger);
    this.time = time;
    this.ledger = ledger;
    this.objects = objects;
    this.codec = codec;
    sentinels = new ObservedSentinels(this, objects, codec);
  }

  public void fleet(SimFleet cloud) {
    fleet = Optional.of(cloud);
  }

  public SimFleet fleet() {
    return fleet.orElseThrow();
  }

  public Instant now() {
    return time.instant();
  }

  public SimLedger ledger() {
    return ledger;
  }

  public SimObjectStore objects() {
    return objects;
  }

  public SimCodec codec() {
    return codec;
  }

  /**
   * The ledger was restored.
   *
   * @param heard when every reachable agent has learned the restored state
   */
  public void restored(Instant heard) {
    heardAt = heard;
    survivors.addAll(running.keySet());
    for (var process : running.values()) troubled(process.worker());
  }

  /** Whether it started under a lease that the restore may have erased. */
  public boolean survived(TaskProcess process) {
    return survivors.contains(process.toString());
  }

  public void began(TaskProcess process) {
    if (now().isBefore(heardAt)) survivors.add(process.toString());
    if (running.put(process.toString(), process) == null) atOnce.began(process.attempt());
    if (checked) begun.merge(process.task(), 1, Integer::sum);
    firstBegun.putIfAbsent(process.attempt().lease().job(), now());
  }

  /**
   * @param ownFault whether it ended by the user's own fault
   */
  public void ended(TaskProcess process, boolean ownFault) {
    if (running.remove(process.toString()) != null) atOnce.ended(process.attempt());
    survivors.remove(process.toString());
    if (ownFault) ownFaults.merge(process.task(), 1, Integer::sum);
  }

  /** Counts a user's failure of the task without a process. */
  public void ownFault(String task) {
    ownFaults.merge(task, 1, Integer::sum);
  }

  public Collection<TaskProcess> running() {
    return running.values();
  }

  /** How many attempts of the task really ended by the user's own fault. */
  public int ownFaults(String job, long index) {
    return ownFaults.getOrDefault(job + "/" + index, 0);
  }

  /** How many attempts of the task really started. */
  public int begun(String job, long index) {
    return begun.getOrDefault(job + "/" + index, 0);
  }

  /** When the first task of the job really started. */
  public Optional<Instant> firstBegun(String job) {
    return Optional.ofNullable(firstBegun.get(job));
  }

  /** How many tasks of each job have run at once. */
  public TasksAtOnce atOnce() {
    return atOnce;
  }

  /** A fault struck this worker alone: it may be lost for it. */
  public void troubled(String worker) {
    troubled.put(worker, now());
  }

  /**
   * A fault of this worker alone began or ended.
   *
   * @param host the host's name: one host of a slice may recover before another
   */
  public void trouble(String worker, String host, boolean begins) {
    troubled(worker);
    if (begins) inTrouble.add(host);
    else inTrouble.remove(host);
  }

  /** A static machine is suspended or resumes. */
  public void suspended(String worker, boolean still) {
    if (still) standing.put(worker, now());
    else standing.remove(worker);
  }

  /**
   * Whether it was suspended for so long that its machine counts as gone. For a static machine only
   * time can prove that. Its agent ends it on resumption.
   */
  public boolean suspendedTooLong(TaskProcess process) {
    var since = standing.get(process.worker());
    return since != null && since.plus(OWN_CUT_OFF).isBefore(now());
  }

  public boolean inTrouble(String worker) {
    return inTrouble.stream().anyMatch(h -> h.equals(worker) || h.startsWith(worker + "/"));
  }

  public Optional<Instant> troubledAt(String worker) {
    return Optional.ofNullable(troubled.get(worker));
  }

  /** A function instance has a report of the host. */
  public void taken(String host, long seq, DocumentKey.OfHeartbeats taker) {
    if (checked) takers.taken(host, seq, taker);
  }

  /** Nobody has the report any more: its call has ended. */
  public void ended(String host, long seq) {
    if (checked) takers.ended(host, seq);
  }

  /** See {@link ReportTakers#unanswerable}. */
  public boolean unanswerable(String worker) {
    return takers.unanswerable(worker);
  }

  /** A fault that prevents serving a cluster began or ended. */
  public void disturbed(String cluster, boolean begins) {
    disturbed.put(cluster, begins ? Instant.MAX : now());
  }

  /** Whether such a fault is active, or was within that time. */
  public boolean disturbed(String cluster, Duration moment) {
    var until = disturbed.getOrDefault(cluster, Instant.MIN);
    return until.isAfter(now().minus(moment));
  }

  /**
   * The control plane becomes unreachable for longer than the agents' cut-off, or reachable again.
   */
  public void unreachable(boolean begins) {
    unreachable = begins ? Instant.MAX : now();
  }

  /** Whether it is unreachable, or was within that time. */
  public boolean unreachable(Duration memory) {
    return unreachable.isAfter(now().minus(memory));
  }

  /** The ticks stop, or begin again. */
  public void withoutTicks(boolean begins) {
    withoutTicks = begins ? Instant.MAX : now();
  }

  /** Whether nothing ticks, or nothing did within that time. */
  public boolean withoutTicks(Duration memory) {
    return withoutTicks.isAfter(now().minus(memory));
  }

  /** The report that a function instance handles in this step. */
  public Optional<SyncReport> handledReport() {
    return hearing;
  }

  public void handledReport(Optional<SyncReport> report) {
    hearing = report;
  }

  public Optional<Worker> worker(String cluster, String name) {
    return ledger
        .readSpoiled(new DocumentKey.OfWorker(cluster, name))
        .map(VersionedDocument::value);
  }

  public Optional<Cluster> cluster(String uid) {
    return ledger.readSpoiled(new DocumentKey.OfCluster(uid)).map(VersionedDocument::value);
  }

  public Optional<Job> job(String cluster, String uid) {
    return ledger.readSpoiled(new DocumentKey.OfJob(cluster, uid)).map(VersionedDocument::value);
  }

  public <D extends LedgerDocument> List<D> all(Class<D> type) {
    var found = new ArrayList<D>();
    for (var ledgerDocument : ledger.under(""))
      if (type.isInstance(ledgerDocument)) found.add(type.cast(ledgerDocument));
    return found;
  }

  /** Whether this incarnation is the worker's current one in the ledger. */
  public boolean current(String cluster, String worker, Incarnation incarnation) {
    return worker(cluster, worker)
        .flatMap(Worker::incarnation)
        .filter(incarnation::equals)
        .isPresent();
  }

  /** The URL of the task's output. */
  public ObjectUrl output(Job job, long index) {
    var cluster =
        ledger.readSpoiled(new DocumentKey.OfCluster(job.cluster())).map(VersionedDocument::value);
    var bucket = cluster.map(Cluster::spec).orElseThrow().bucket();
    return ObjectUrl.of(
        TaskTemplate.outputUrl(job.spec(), bucket, job.uid(), item(job, bucket, index)));
  }

  public boolean sealed(Job job, long index) {
    return sentinels.of(job, index).isPresent();
  }

  /** All sentinels, and which of them users deleted. */
  public ObservedSentinels sentinels() {
    return sentinels;
  }

  private TaskItem item(Job job, String bucket, long index) {
    if (job.tasks().items().isPresent()) return job.tasks().items().get().get((int) index);
    if (job.spec().tasks() instanceof TaskSource.Count) return TaskItem.counted(index);
    if (job.spec().tasks() instanceof TaskSource.Items named && job.tasks().count() == 0)
      return new TaskItem(
          index,
          Optional.ofNullable(named.items().get((int) index).get("input")),
          named.items().get((int) index));
    var objectUrl = BucketLayout.of(bucket).tasks(job.uid(), index);
    var list =
        lists.computeIfAbsent(
            objectUrl.toString(),
            u -> objects.read(objectUrl, Integer.MAX_VALUE).map(codec::tasks).orElse(List.of()));
    return list.stream().filter(i -> i.index() == index).findFirst().orElseThrow();
  }
}
