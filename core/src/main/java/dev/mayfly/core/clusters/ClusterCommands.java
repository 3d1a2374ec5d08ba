package dev.mayfly.core.clusters;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.ClusterName;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.plan.capacity.PoolVersions;
import dev.mayfly.core.plan.spending.PossibleCost;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.state.ClusterLookup;
import dev.mayfly.core.state.CommandOrder;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.ManualEdits;
import dev.mayfly.core.state.Transactions;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.job.JobStop;
import dev.mayfly.core.state.worker.WorkerTransitions;
import dev.mayfly.core.text.HumanDuration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Commands about clusters and workers: up, change, down, drain, cordon. The newest command about
 * each holds: a message that is repeated, or older than the newest one applied, changes nothing.
 */
public final class ClusterCommands {
  private static final String BY_HAND = "by hand (mayfly cordon)";

  private final Context context;
  private final WorkerDrain workerDrain;
  private final WorkerCordon workerCordon;
  private final JobStop jobStop;
  private final ManualEdits manualEdits;
  private final ClusterRename clusterRename;
  private final DownBeforeUp downBeforeUp;

  public ClusterCommands(Context context, WorkerTransitions workerTransitions) {
    this.context = context;
    manualEdits = new ManualEdits(context.codec());
    clusterRename = new ClusterRename(context.ledger());
    downBeforeUp = new DownBeforeUp(context.ledger());
    jobStop = new JobStop(context);
    workerDrain = new WorkerDrain(context, workerTransitions);
    workerCordon = new WorkerCordon(context);
  }

  /**
   * Creates the cluster, or changes the one of that name or of that former name. Throws {@link
   * InvalidInputException} while a cluster of that name is being taken down, and if a down
   * published later arrived first.
   *
   * @param by who requests it, to follow a verb
   */
  public void apply(UserCommand.ApplyCluster command, Instant publishedAt, String by) {
    var spec = command.spec();
    checkReach(spec);
    checkMounts(spec);
    Transactions.retry("cluster " + spec.name(), () -> applied(command, publishedAt, by));
  }

  private boolean applied(UserCommand.ApplyCluster command, Instant publishedAt, String by) {
    var spec = command.spec();
    var name = context.ledger().read(new DocumentKey.OfClusterName(spec.name()));
    var cluster = name.flatMap(n -> n.value().cluster()).flatMap(context.ledger()::read);
    var former = command.formerly().flatMap(clusterRename::living);
    var free = isGone(cluster);
    var target = free ? former.or(() -> cluster) : cluster;
    var newest = target.map(c -> c.value().newestCommandAt());
    if (CommandOrder.of(newest, publishedAt) != CommandOrder.NEW) return true;
    if (!command.confirmed()) checkCost(spec, target.map(c -> c.value().spec()));
    if (!free) {
      ClusterRename.check(spec, cluster.get().value(), former);
      return change(spec, publishedAt, cluster.get(), List.of());
    }
    name.flatMap(n -> n.value().downSince(publishedAt))
        .ifPresent(down -> refuse(spec.name(), former, down));
    if (former.isEmpty())
      return create(
          spec, publishedAt, by + ClusterRename.without(command.formerly()), name, cluster);
    var taken = ClusterRename.take(spec.name(), former.get().value().uid(), name);
    return change(spec, publishedAt, former.get(), List.of(taken));
  }

  /** What a cluster may cost already needs no second confirmation. */
  private static void checkCost(ClusterSpec spec, Optional<ClusterSpec> before) {
    if (before.filter(was -> PossibleCost.of(spec) <= PossibleCost.of(was)).isPresent()) return;
    PossibleCost.whyConfirm(spec)
        .ifPresent(why -> {
          throw new InvalidInputException(
              "pools", why + "; lower workers.max, or confirm it (mayfly up --yes, confirm: true)");
        });
  }

  /** The down holds for a cluster that this file would have given the name, too. */
  private void refuse(String name, Optional<VersionedDocument<Cluster>> former, Instant down) {
    var renamed = former.map(f -> f.value().spec().name());
    renamed.ifPresent(cluster -> down(cluster, down));
    throw new InvalidInputException(
        "name",
        "a down of cluster %s that was published later arrived first, so this %s; bring it up again (mayfly up) if it should be there"
            .formatted(
                name,
                renamed
                    .map(cluster -> "takes cluster " + cluster + " down")
                    .orElse("creates none")));
  }

  /** Folders are valid on a laptop, where all users share the machine, but not in a project. */
  private void checkReach(ClusterSpec spec) {
    for (var place :
        Stream.concat(Stream.of(spec.bucket()), spec.outputPrefixes().stream()).toList())
      if (!context.objects().reaches(ObjectUrl.of(place)))
        throw new InvalidInputException(
            place.equals(spec.bucket()) ? "bucket" : "outputPrefixes",
            place
                + " is a folder, which the functions of a project do not have; write gs://BUCKET");
  }

  /** Machines that cannot mount what their cluster defines run no task, and are bought in vain. */
  private void checkMounts(ClusterSpec spec) {
    for (var pool : spec.pools())
      context
          .fleet()
          .whyUnmounted(spec, pool)
          .ifPresent(why -> {
            throw new InvalidInputException("pools", "pool " + pool.name() + ": " + why);
          });
  }

  private boolean create(
      ClusterSpec spec,
      Instant publishedAt,
      String by,
      Optional<VersionedDocument<ClusterName>> name,
      Optional<VersionedDocument<Cluster>> before) {
    if (before.flatMap(b -> b.value().endedAt()).filter(publishedAt::isBefore).isPresent())
      throw new InvalidInputException(
          "name",
          "cluster %s was still being taken down when this was published; bring it up again"
              .formatted(spec.name()));
    var uid = context.ids().next(12);
    // The message's own time, so that commands published after it, such as a quick "down", are
    // newer.
    var cluster =
        manualEdits.applied(
            new Cluster(uid, spec, Cluster.Phase.UP, 1, 0, publishedAt, Optional.empty())
                .withUsedAt(publishedAt));
    var spent = EarlierSpending.of(context.ledger(), spec, before, context.clock().instant());
    return commit(
        uid,
        List.of(
            ClusterRename.take(spec.name(), uid, name),
            new LedgerWrite.Create(cluster),
            eventWrite(cluster, "up", "brought up by " + by + spent)));
  }

  /**
   * @param name the writes that rename it
   */
  private boolean change(
      ClusterSpec spec,
      Instant publishedAt,
      VersionedDocument<Cluster> storedCluster,
      List<LedgerWrite> name) {
    var was = storedCluster.value();
    ClusterChangeRules.checkStays(was.spec().name(), was.phase() == Cluster.Phase.GOING);
    var kept = SlicePools.kept(was.spec(), spec);
    if (was.spec().equals(kept)) return recordCommand(storedCluster, publishedAt);
    if (!was.spec().bucket().equals(spec.bucket()))
      ClusterChangeRules.checkBucket(was.spec(), spec, liveJobs(was));
    var number = was.generation() + 1;
    var now = context.clock().instant();
    var next =
        ClusterRename.withFormerName(
            was,
            manualEdits
                .applied(was.withSpec(kept, number, PoolVersions.after(was, kept, number, now)))
                .withLastCommandAt(publishedAt));
    var event =
        eventWrite(
            next,
            "changed",
            "generation " + number + ClusterRename.describe(was, next) + replaced(next));
    // Instances that inform agents of the cluster read it again.
    var signal = new LedgerWrite.Signal(was.uid(), now, true, List.of());
    var ledgerWrites =
        new ArrayList<LedgerWrite>(
            List.of(new LedgerWrite.Update(next, storedCluster.version()), event, signal));
    ledgerWrites.addAll(name);
    return commit(was.uid(), ledgerWrites);
  }

  /** The cluster is already as commanded; older commands no longer count. */
  private boolean recordCommand(VersionedDocument<Cluster> storedCluster, Instant publishedAt) {
    var next = storedCluster.value().withLastCommandAt(publishedAt);
    return context
        .ledger()
        .commit(List.of(new LedgerWrite.Update(next, storedCluster.version())))
        .done();
  }

  private long liveJobs(Cluster cluster) {
    return context.ledger().query(new LedgerQuery.LiveJobs(cluster.uid())).size();
  }

  /**
   * Marks the cluster GOING and stops its jobs; reconciles drain its workers and delete its
   * machines. Also holds for a file of that name that was published before and arrives later.
   * Throws {@link UnknownNameException} if there never was a cluster of that name.
   */
  public void down(String name, Instant publishedAt) {
    Transactions.retry("cluster " + name, () -> takenDown(name, publishedAt));
  }

  private boolean takenDown(String name, Instant publishedAt) {
    var clusterName = context.ledger().read(new DocumentKey.OfClusterName(name));
    var stored = clusterName.flatMap(n -> n.value().cluster()).flatMap(context.ledger()::read);
    var found = stored.map(VersionedDocument::value);
    if (isGone(stored)) {
      if (!downBeforeUp.record(name, clusterName, found, publishedAt)) return false;
      if (found.isEmpty()) throw ClusterLookup.unknown(context.ledger(), name);
      return true;
    }
    var cluster = found.get();
    if (CommandOrder.of(Optional.of(cluster.newestCommandAt()), publishedAt) == CommandOrder.OLD)
      return true;
    var going = cluster.withGoing().withLastCommandAt(publishedAt);
    var event = eventWrite(cluster, "going", "taken down by a message");
    var update = new LedgerWrite.Update(going, stored.get().version());
    if (cluster.phase() == Cluster.Phase.UP && !commit(cluster.uid(), List.of(update, event)))
      return false;
    stopJobs(cluster);
    return true;
  }

  /** A job that arrives later, or is unreadable now, is stopped by a later reconcile. */
  private void stopJobs(Cluster cluster) {
    var now = context.clock().instant();
    for (var job : context.ledger().query(new LedgerQuery.LiveJobs(cluster.uid())).readableOnly())
      jobStop.stop(job.value().key(), now, "the cluster is taken down");
  }

  /** Drains one worker; the pool replaces it if needed. */
  public void drain(String clusterName, String workerName, Instant publishedAt) {
    workerDrain.drain(living(clusterName), workerName, publishedAt);
  }

  /** Nothing new starts on a worker, or on those of a pool, until the cordon ends. */
  public void cordon(UserCommand.Cordon command, Instant publishedAt) {
    var cordon = new Cordon(publishedAt, publishedAt.plus(command.lasts()), BY_HAND);
    workerCordon.apply(living(command.cluster()), command.name(), Optional.of(cordon), publishedAt);
  }

  /** Ends the cordon of a worker or a pool. */
  public void uncordon(UserCommand.Uncordon command, Instant publishedAt) {
    workerCordon.apply(living(command.cluster()), command.name(), Optional.empty(), publishedAt);
  }

  private Cluster living(String clusterName) {
    return clusterRename
        .living(clusterName)
        .orElseThrow(() -> ClusterLookup.unknown(context.ledger(), clusterName))
        .value();
  }

  private static boolean isGone(Optional<VersionedDocument<Cluster>> cluster) {
    return cluster.isEmpty() || cluster.get().value().phase() == Cluster.Phase.GONE;
  }

  private boolean commit(String uid, List<LedgerWrite> ledgerWrites) {
    if (!context.ledger().commit(ledgerWrites).done()) return false;
    TriggerSender.send(context.bus(), new Trigger.Reconcile(uid));
    return true;
  }

  private LedgerWrite eventWrite(Cluster cluster, String what, String why) {
    EventRecord eventRecord =
        context.event(cluster.uid(), "cluster/" + cluster.spec().name(), what, why);
    return new LedgerWrite.Put(eventRecord);
  }

  /** Which changes apply only to new machines, and until when old ones may continue. */
  private static String replaced(Cluster next) {
    var pools =
        next.versions().entrySet().stream()
            .filter(v -> v.getValue().generation() == next.generation())
            .map(v -> v.getKey() + " (" + v.getValue().what() + ")")
            .sorted()
            .toList();
    return pools.isEmpty()
        ? ", which applies at once"
        : "; workers are replaced as they become free, within %s, in %s"
            .formatted(
                HumanDuration.exact(next.spec().rollout().within()), String.join(", ", pools));
  }
}
