package dev.mayfly.core.control;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.NotFound;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.job.Template;
import dev.mayfly.core.lease.Shards;
import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobName;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.TaskOutcome;
import dev.mayfly.core.port.Bus;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Places;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Url;
import dev.mayfly.core.port.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs an ended job's tasks again that failed for good, were not run, or are inconsistent. Tasks
 * that are done stay done. The sentinel of an inconsistent task is deleted, that generation only.
 */
final class Retry {
  private final Ledger ledger;
  private final Bus bus;
  private final Objects objects;
  private final TaskLister lister;
  private final SentinelSurvey survey;
  private final Queue queue;
  private final InstantSource clock;

  Retry(
      Ledger ledger,
      Bus bus,
      Objects objects,
      TaskLister lister,
      SentinelSurvey survey,
      Queue queue,
      InstantSource clock) {
    this.ledger = ledger;
    this.bus = bus;
    this.objects = objects;
    this.lister = lister;
    this.survey = survey;
    this.queue = queue;
    this.clock = clock;
  }

  /**
   * A job that has nothing to run again is refused with {@link Invalid}, as is one that is about to
   * end. One that runs stays as it is, and a message that is older than the newest stop or retry
   * changes nothing.
   */
  void retry(Cluster cluster, String name, Instant publishedAt) {
    var named = ledger.read(new Key.OfJobName(cluster.uid(), name));
    var stored =
        named
            .flatMap(n -> n.value().job())
            .flatMap(uid -> ledger.read(new Key.OfJob(cluster.uid(), uid)));
    if (stored.isEmpty()) throw new NotFound("job", "there is no job " + name);
    var job = stored.get().value();
    var newest = named.get().value().lastCommandAt();
    // A job that was submitted later is not the one that was meant.
    if (Word.of(newest, publishedAt) != Word.NEW || job.submittedAt().isAfter(publishedAt)) return;
    switch (job.state()) {
      case JobState.Expanding _, JobState.Running _ -> note(named.get(), publishedAt);
      case JobState.Stopping _, JobState.Finishing _ ->
          throw new Invalid(
              "job",
              "job %s is still ending; retry it when it has ended (mayfly jobs)".formatted(name));
      case JobState.Ended end -> {
        if (end.result() == JobState.Result.SUCCEEDED)
          throw new Invalid("job", "job " + name + " has nothing to run again: " + end.reason());
        again(cluster, named.get(), stored.get(), publishedAt);
      }
    }
  }

  /** There is nothing to do, and there will be nothing to do when the message comes again. */
  private void note(Stored<JobName> named, Instant at) {
    var next = named.value().retried(at, named.value().live());
    if (!ledger.commit(List.of(new Write.Update(next, named.version()))).done())
      throw new Unavailable(
          "the name " + next.name() + " is being changed; the message comes again");
  }

  private void again(
      Cluster cluster, Stored<JobName> named, Stored<Job> stored, Instant publishedAt) {
    var job = stored.value();
    var name = job.spec().name();
    var shards = Audit.shards(ledger, job);
    for (var shard : shards) again(job, cluster, shard);
    forgetOutcome(job, Places.of(cluster.spec().bucket()));
    var next = job.again(state(job, shards));
    var live = named.value().retried(publishedAt, true);
    var writes = new ArrayList<Write>();
    writes.add(new Write.Update(next, stored.version()));
    writes.add(new Write.Update(live, named.version()));
    writes.add(new Write.Put(queue.event(job, "retried", "what was not done runs again")));
    var committed = next.running() ? queue.enter(next, writes) : ledger.commit(writes);
    if (!committed.done())
      throw new Unavailable("job " + name + " is being changed; the message comes again");
    Hints.send(
        bus,
        next.running() ? Hint.Look.job(next.key()) : new Hint.Expand(cluster.uid(), job.uid()));
  }

  /** A job that was stopped while its tasks were listed or cut into shards goes on with that. */
  private JobState state(Job job, List<Stored<Shard>> shards) {
    var cut = shards.stream().mapToLong(s -> s.value().size()).sum();
    if (job.tasks() > 0 && cut == job.tasks()) return new JobState.Running(clock.instant());
    return job.tasks() == 0
        ? new JobState.Expanding("", 0, -1)
        : new JobState.Expanding("", job.tasks(), 0);
  }

  private void again(Job job, Cluster cluster, Stored<Shard> stored) {
    var shard = stored.value();
    var undone = inconsistent(job, cluster, shard);
    var next = Shards.again(shard, undone, clock.instant());
    if (!ledger.commit(List.of(new Write.Update(next, stored.version()))).done())
      throw new Unavailable("a shard is being changed; the message comes again");
  }

  /**
   * The tasks that the ledger or a sentinel calls done and that are not; their sentinels are
   * deleted.
   */
  private Bits inconsistent(Job job, Cluster cluster, Shard shard) {
    var bucket = cluster.spec().bucket();
    var undone = Bits.none(shard.start());
    for (var from = shard.start(); from < shard.end(); from += Audit.PIECE) {
      var to = Math.min(shard.end(), from + Audit.PIECE);
      var items = lister.read(job, Places.of(bucket), from, to);
      var found = OutputCheck.found(survey, job, bucket, items);
      var known = new OutputCheck.Known(List.of(shard), from, to);
      for (var item : items) {
        var output = Template.output(job.spec(), bucket, job.uid(), item);
        if (OutputCheck.outcome(item, output, found, known).result()
            != TaskOutcome.Result.INCONSISTENT) continue;
        Optional.ofNullable(found.get(output + Sentinel.SUFFIX))
            .ifPresent(s -> objects.delete(s.url(), s.generation()));
        undone = undone.with(item.index());
      }
    }
    return undone;
  }

  private void forgetOutcome(Job job, Places places) {
    for (var piece = 0; (long) piece * Audit.PIECE < job.tasks(); piece++) {
      Url url = places.outcome(job.uid(), piece);
      objects.find(url).ifPresent(o -> objects.delete(url, o.generation()));
    }
  }
}
