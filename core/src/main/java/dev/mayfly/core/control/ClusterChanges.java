package dev.mayfly.core.control;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.NotFound;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.ClusterName;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.plan.Spans;
import dev.mayfly.core.plan.Versions;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Url;
import dev.mayfly.core.port.Write;
import dev.mayfly.core.worker.WorkerEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What people ask of clusters and workers: up, changed, down, drained. The newest word about each
 * holds: a message that is repeated, or that was published before the newest that was applied,
 * changes nothing.
 */
public final class ClusterChanges {
  private static final int TRIES = 8;

  private final Ports ports;
  private final Rules rules;
  private final Lives lives;
  private final Stops stops;
  private final Drift drift;
  private final Renames renames;

  public ClusterChanges(Ports ports, Rules rules) {
    this.ports = ports;
    this.rules = rules;
    lives = new Lives(ports, rules);
    drift = new Drift(ports.codec());
    renames = new Renames(ports.ledger());
    stops = new Stops(ports.ledger(), ports.bus(), ports.alarms(), ports.ids(), ports.clock());
  }

  /**
   * Makes the cluster, or gives the one of that name a new spec, or the one that had another name
   * till now. Throws {@link Invalid} while a cluster of that name is being taken down.
   */
  public void apply(Command.ApplyCluster asked, Instant publishedAt) {
    var spec = asked.spec();
    checkReach(spec);
    for (var tries = 0; tries < TRIES; tries++) {
      var name = ports.ledger().read(new Key.OfClusterName(spec.name()));
      var cluster = name.flatMap(n -> ports.ledger().read(new Key.OfCluster(n.value().uid())));
      var former = asked.formerly().flatMap(renames::living);
      var free = cluster.isEmpty() || cluster.get().value().phase() == Cluster.Phase.GONE;
      var there = free ? former.or(() -> cluster) : cluster;
      var newest = there.map(c -> c.value().newest());
      if (Word.of(newest, publishedAt) != Word.NEW) return;
      if (!free) Renames.check(spec, cluster.get().value(), former);
      boolean done;
      if (!free) done = change(spec, publishedAt, cluster.get(), List.of());
      else if (former.isPresent())
        done =
            change(
                spec,
                publishedAt,
                former.get(),
                List.of(Renames.take(spec.name(), former.get().value().uid(), name)));
      else done = create(spec, publishedAt, name, cluster);
      if (done) return;
    }
    throw new Unavailable("cluster " + spec.name() + " changes too fast; the message comes again");
  }

  /** A folder belongs to one machine: on a laptop to all users, in a project to no user. */
  private void checkReach(ClusterSpec spec) {
    for (var place :
        Stream.concat(Stream.of(spec.bucket()), spec.outputPrefixes().stream()).toList())
      if (!ports.objects().reaches(Url.of(place)))
        throw new Invalid(
            place.equals(spec.bucket()) ? "bucket" : "outputPrefixes",
            place
                + " is a folder, which the functions of a project do not have; write gs://BUCKET");
  }

  private boolean create(
      ClusterSpec spec,
      Instant publishedAt,
      Optional<Stored<ClusterName>> name,
      Optional<Stored<Cluster>> before) {
    if (before.flatMap(b -> b.value().endedAt()).filter(publishedAt::isBefore).isPresent())
      throw new Invalid(
          "name",
          "cluster %s was still being taken down when this was published; bring it up again"
              .formatted(spec.name()));
    var uid = ports.ids().next(12);
    // The message's own time: what was published after it, a quick "down" for example, comes after
    // it.
    var cluster =
        drift.applied(
            new Cluster(uid, spec, Cluster.Phase.UP, 1, 0, publishedAt, Optional.empty()));
    return commit(
        uid,
        List.of(
            Renames.take(spec.name(), uid, name),
            new Write.Create(cluster),
            told(cluster, "up", "as its message asks")));
  }

  /**
   * @param name what gives it a new name
   */
  private boolean change(
      ClusterSpec spec, Instant publishedAt, Stored<Cluster> stored, List<Write> name) {
    var was = stored.value();
    if (was.phase() == Cluster.Phase.GOING)
      throw new Invalid(
          "name",
          "cluster %s is being taken down, and some of its machines are still there; bring it up again when it is gone (mayfly status)"
              .formatted(was.spec().name()));
    var kept = SliceChanges.kept(was.spec(), spec);
    if (was.spec().equals(kept)) return noted(stored, publishedAt);
    if (!was.spec().bucket().equals(spec.bucket())) checkNoJobs(was, spec.bucket());
    var number = was.generation() + 1;
    var now = ports.clock().instant();
    var next =
        Renames.noted(
            was,
            drift
                .applied(was.changed(kept, number, Versions.after(was, kept, number, now)))
                .commanded(publishedAt));
    var event =
        told(next, "changed", "version " + number + Renames.said(was, next) + replaced(next));
    // Whoever tells agents of the cluster reads it again.
    var pulse = new Write.Notify(was.uid(), now, true, List.of());
    var writes =
        new ArrayList<Write>(List.of(new Write.Update(next, stored.version()), event, pulse));
    writes.addAll(name);
    return commit(was.uid(), writes);
  }

  /** It is as the newest word says; words older than that do not count from now on. */
  private boolean noted(Stored<Cluster> stored, Instant publishedAt) {
    var next = stored.value().commanded(publishedAt);
    return ports.ledger().commit(List.of(new Write.Update(next, stored.version()))).done();
  }

  /** Task lists, logs and outputs of a job that runs are in the bucket that it began with. */
  private void checkNoJobs(Cluster was, String bucket) {
    var live = ports.ledger().query(new Query.LiveJobs(was.uid())).size();
    if (live == 0) return;
    throw new Invalid(
        "bucket",
        "cluster %s keeps what its live jobs (%d) need in %s; wait until they end, or stop them, and then change it to %s"
            .formatted(was.spec().name(), live, was.spec().bucket(), bucket));
  }

  /** Takes the cluster down: its jobs are stopped, its workers drained, its machines deleted. */
  public void down(String name, Instant publishedAt) {
    for (var tries = 0; tries < TRIES; tries++) {
      var stored = living(name);
      if (stored.isEmpty()) return;
      var cluster = stored.get().value();
      if (Word.of(Optional.of(cluster.newest()), publishedAt) == Word.OLD) return;
      var going = cluster.with(Cluster.Phase.GOING).commanded(publishedAt);
      var event = told(cluster, "going", "somebody took it down");
      if (cluster.phase() == Cluster.Phase.UP
          && !commit(
              cluster.uid(), List.of(new Write.Update(going, stored.get().version()), event)))
        continue;
      stopJobs(cluster);
      return;
    }
    throw new Unavailable("cluster " + name + " changes too fast; the message comes again");
  }

  /** A job that comes in meanwhile, or cannot be read now, is stopped by a later round. */
  private void stopJobs(Cluster cluster) {
    var now = ports.clock().instant();
    for (var job : ports.ledger().query(new Query.LiveJobs(cluster.uid())).some())
      stops.stop(job.value().key(), now, "the cluster is taken down");
  }

  /** Lets one worker end; the pool replaces it if it is needed. */
  public void drain(String clusterName, String workerName, Instant publishedAt) {
    var cluster =
        living(clusterName)
            .orElseThrow(() -> Clusters.unknown(ports.ledger(), clusterName))
            .value();
    for (var tries = 0; tries < TRIES; tries++) {
      var worker = ports.ledger().read(new Key.OfWorker(cluster.uid(), workerName));
      if (worker.isEmpty())
        throw new NotFound(
            "worker",
            "cluster %s has no worker %s; mayfly workers -c %s lists those that there are"
                .formatted(clusterName, workerName, clusterName));
      if (Word.of(worker.get().value().lastCommandAt(), publishedAt) != Word.NEW) return;
      var now = ports.clock().instant();
      var deadline = now.plus(rules.drainDeadline());
      var event = new WorkerEvent.DrainAsked(now, "somebody asked for it", deadline);
      var told = new Stored<>(worker.get().value().commanded(publishedAt), worker.get().version());
      var drained = lives.tell(told, event, Optional.of("draining"));
      if (drained.isEmpty()) continue;
      Hints.send(ports.bus(), Hint.Look.worker(cluster.uid(), told.value().name()));
      return;
    }
    throw new Unavailable("worker " + workerName + " changes too fast; the message comes again");
  }

  /**
   * The cluster that has the name and is not gone; empty when it is. Throws when there never was
   * one.
   */
  private Optional<Stored<Cluster>> living(String name) {
    var stored =
        ports
            .ledger()
            .read(new Key.OfClusterName(name))
            .flatMap(n -> ports.ledger().read(new Key.OfCluster(n.value().uid())));
    if (stored.isEmpty()) throw Clusters.unknown(ports.ledger(), name);
    return stored.filter(s -> s.value().phase() != Cluster.Phase.GONE);
  }

  private boolean commit(String uid, List<Write> writes) {
    if (!ports.ledger().commit(writes).done()) return false;
    Hints.send(ports.bus(), new Hint.Look(uid));
    return true;
  }

  private Write told(Cluster cluster, String what, String why) {
    Event event = lives.event(cluster.uid(), "cluster/" + cluster.spec().name(), what, why);
    return new Write.Put(event);
  }

  /** What only new machines follow, and until when the old ones may go on. */
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
            .formatted(Spans.say(next.spec().rollout().within()), String.join(", ", pools));
  }
}
