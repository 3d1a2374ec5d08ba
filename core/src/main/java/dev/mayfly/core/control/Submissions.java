package dev.mayfly.core.control;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.job.Template;
import dev.mayfly.core.lease.ShardSize;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobName;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.TaskItem;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.plan.Amounts;
import dev.mayfly.core.port.Bus;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Places;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Takes a job: checks it, gives it its name, and stores it with its shards in one batch if it is
 * small.
 */
final class Submissions {
  private static final int TRIES = 5;
  private static final int BATCH_SHARDS = 390;

  private final Ledger ledger;
  private final Bus bus;
  private final JobTerms terms;
  private final Codec codec;
  private final TaskLister lister;
  private final Locality locality;
  private final Expansion expansion;
  private final Queue queue;
  private final InstantSource clock;

  Submissions(
      Ledger ledger,
      Bus bus,
      JobTerms terms,
      Codec codec,
      TaskLister lister,
      Locality locality,
      Expansion expansion,
      Queue queue,
      InstantSource clock) {
    this.ledger = ledger;
    this.bus = bus;
    this.terms = terms;
    this.codec = codec;
    this.lister = lister;
    this.locality = locality;
    this.expansion = expansion;
    this.queue = queue;
    this.clock = clock;
  }

  /**
   * Accepts the job. A repeat of the submission changes nothing. Throws {@link Invalid} for what
   * the user must mend; then nothing was stored.
   */
  void submit(JobSpec asked, String uid, Instant publishedAt) {
    var spec = Template.submitted(asked, publishedAt);
    var hash = codec.hash(asked);
    var found = Clusters.find(ledger, spec.cluster());
    var before = found.flatMap(c -> ledger.read(new Key.OfJob(c.uid(), uid)));
    if (before.isPresent()) {
      SubmissionIds.check(ledger, before.get().value(), spec, hash);
      return;
    }
    var cluster = Clusters.taking(ledger, spec.cluster(), found);
    Clusters.checkMeant(cluster, publishedAt);
    terms.check(spec, cluster.spec());
    var first = lister.next(spec, "", 0);
    if (first.counted() == 0) throw new Invalid("tasks", nothing(spec, first));
    Expansion.check(spec, first.counted());
    var outputs = checkOutputs(spec, cluster, uid, first);
    var near = locality.check(spec, cluster.spec(), first, outputs.all());
    var there = spec.at(spec.place().near(near));
    for (var tries = 0; tries < TRIES; tries++) {
      var name = ledger.read(new Key.OfJobName(cluster.uid(), spec.name()));
      if (name.isPresent() && name.get().value().repeats().contains(uid)) return;
      if (name.isPresent() && taken(name.get().value(), spec, hash)) {
        if (noted(name.get(), uid)) return;
        continue;
      }
      if (ledger.read(new Key.OfJob(cluster.uid(), uid)).isPresent()) return;
      if (store(cluster, there, hash, uid, publishedAt, kept(cluster, uid, first), name).done()) {
        after(cluster, uid);
        return;
      }
    }
    throw new Unavailable("the name " + spec.name() + " changes too fast; the message comes again");
  }

  /** Those of a longer list are compared when all of it is known. */
  private static Outputs checkOutputs(
      JobSpec spec, Cluster cluster, String uid, TaskLister.Slice first) {
    var outputs = new Outputs(spec, cluster.spec(), uid);
    if (spec.tasks() instanceof TaskSource.Count c) {
      // The last index is the longest.
      outputs.add(
          LongStream.of(0, 1, c.count() - 1)
              .filter(i -> i >= 0 && i < c.count())
              .distinct()
              .mapToObj(TaskItem::counted)
              .toList());
    } else outputs.add(first.items());
    return outputs;
  }

  /**
   * The first slice as it is kept, if it has to be: an earlier try of this message may have kept
   * another.
   */
  private TaskLister.Slice kept(Cluster cluster, String uid, TaskLister.Slice first) {
    if (!first.complete() || first.items().isEmpty() || TaskLister.small(first.items()))
      return first;
    return lister.keep(Places.of(cluster.spec().bucket()), uid, first);
  }

  private static String nothing(JobSpec spec, TaskLister.Slice first) {
    return spec.tasks() instanceof TaskSource.Inputs i
        ? "no object matches "
            + i.glob()
            + first
                .unusable()
                .warning(true)
                .map(w -> ", and " + w)
                .orElse("; list the folder, and mind that * stays within one folder")
        : "the job has no tasks";
  }

  /** A repeat of this message is no job either, also when the one that is there has ended. */
  private boolean noted(Stored<JobName> name, String uid) {
    var next = name.value().repeated(uid);
    return ledger.commit(List.of(new Write.Update(next, name.version()))).done();
  }

  /** Whether a live job with this content has the name already; throws if it has other content. */
  private boolean taken(JobName name, JobSpec spec, String hash) {
    if (!name.live()) return false;
    if (name.hash().equals(hash)) return true;
    throw new Invalid(
        "name",
        "a job named "
            + spec.name()
            + " is live on cluster "
            + spec.cluster()
            + " and is another one; stop it (mayfly stop "
            + spec.name()
            + ") or choose another name");
  }

  private Committed store(
      Cluster cluster,
      JobSpec spec,
      String hash,
      String uid,
      Instant publishedAt,
      TaskLister.Slice first,
      Optional<Stored<JobName>> name) {
    var now = clock.instant();
    var stopped =
        name.flatMap(n -> n.value().stoppedBefore())
            .filter(s -> !publishedAt.isAfter(s))
            .isPresent();
    // Agents know a job by this, and keep it: another job with the same content has other tasks and
    // places.
    var known = Sha256.of(uid + "/" + hash);
    var job =
        new Job(
            cluster.uid(),
            uid,
            spec,
            known,
            new JobState.Expanding("", 0, -1),
            0,
            Optional.empty(),
            1,
            publishedAt,
            now,
            Optional.empty(),
            Map.of(),
            Optional.empty());
    var writes = new ArrayList<Write>();
    writes.add(name(job, hash, !stopped, name));
    if (stopped) {
      var end = new JobState.Ended(now, JobState.Result.STOPPED, "stopped before it arrived");
      writes.addFirst(
          new Write.Create(job.ended(end, new Totals(0, 0, 0, 0, 0), Map.of(), Optional.empty())));
      writes.add(new Write.Put(queue.event(job, "stopped", end.reason())));
      return ledger.commit(writes);
    }
    var whole = whole(job, cluster, first);
    if (whole.isEmpty()) {
      queue.check(job);
      writes.addFirst(new Write.Create(job));
      writes.add(new Write.Put(queue.event(job, "accepted", "its tasks are being listed")));
      return ledger.commit(writes);
    }
    return storeWhole(cluster, first, whole.get(), writes);
  }

  private Committed storeWhole(
      Cluster cluster, TaskLister.Slice first, Job sized, List<Write> writes) {
    var items = items(sized, first);
    var shards = expansion.shards(sized, cluster.spec(), 0, sized.tasks(), items);
    var all = shards.stream().allMatch(s -> s.state() == Shard.State.ENDED);
    var now = clock.instant();
    var stored = sized.with(all ? new JobState.Finishing(now, false) : new JobState.Running(now));
    writes.addFirst(new Write.Create(stored));
    shards.forEach(s -> writes.add(new Write.Create(s)));
    writes.add(new Write.Put(queue.event(stored, "accepted", accepted(shards, sized.tasks()))));
    first
        .unusable()
        .warning(true)
        .ifPresent(w -> writes.add(new Write.Put(UnusableInputs.event(stored, now, w))));
    return all ? ledger.commit(writes) : queue.enter(stored, writes);
  }

  private static String accepted(List<Shard> shards, long tasks) {
    var done = shards.stream().mapToLong(s -> s.done().count()).sum();
    return done == 0
        ? Amounts.count(tasks, "task")
        : "%s, %,d done before".formatted(Amounts.count(tasks, "task"), done);
  }

  private static Optional<List<TaskItem>> items(Job job, TaskLister.Slice first) {
    return job.spec().tasks() instanceof TaskSource.Count
        ? Optional.empty()
        : Optional.of(first.items());
  }

  /** The job with its size, if it is small enough to be stored at once. */
  private static Optional<Job> whole(Job job, Cluster cluster, TaskLister.Slice first) {
    if (!first.complete()) return Optional.empty();
    var size = ShardSize.of(first.counted(), job.spec(), cluster.spec());
    if ((first.counted() + size - 1) / size > BATCH_SHARDS) return Optional.empty();
    if (first.counted() > TaskLister.SLICE) return Optional.empty();
    var inline = !first.items().isEmpty() && TaskLister.small(first.items());
    var sized = job.sized(first.counted(), size);
    return Optional.of(inline ? sized.listing(first.items()) : sized);
  }

  private static Write name(Job job, String hash, boolean live, Optional<Stored<JobName>> before) {
    var name =
        before
            .map(Stored::value)
            .orElseGet(() -> JobName.unused(job.cluster(), job.spec().name()))
            .of(job.uid(), hash, live);
    return before.isPresent()
        ? new Write.Update(name, before.get().version())
        : new Write.Create(name);
  }

  private void after(Cluster cluster, String uid) {
    var job = ledger.read(new Key.OfJob(cluster.uid(), uid)).map(Stored::value);
    if (job.isEmpty()) return;
    switch (job.get().state()) {
      case JobState.Expanding e -> Hints.send(bus, new Hint.Expand(cluster.uid(), uid));
      case JobState.Running r -> Hints.send(bus, Hint.Look.job(job.get().key()));
      case JobState.Finishing f -> Hints.send(bus, new Hint.Audit(cluster.uid(), uid));
      case JobState.Stopping s -> Hints.send(bus, Hint.Look.job(job.get().key()));
      case JobState.Ended e -> {}
    }
  }
}
