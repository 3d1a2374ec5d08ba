package dev.mayfly.core.jobs;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.TaskRanges;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.gang.GangRun;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.CommandOrder;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.Transactions;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.job.JobCompletion;
import dev.mayfly.core.state.job.JobLookup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * Stops single tasks of a job, and runs them again. Each shard keeps the newest commands about its
 * tasks, so that a repeat changes nothing and an older command does not undo a newer one.
 */
public final class TaskCommands {
  private static final int PAGE = 300;

  /** Shards changed in one batch: few, because a conflict with one of them fails all. */
  private static final int BATCH = 10;

  private final Context context;
  private final JobRetry jobRetry;
  private final JobCompletion jobCompletion;

  public TaskCommands(Context context, JobRetry jobRetry) {
    this.context = context;
    this.jobRetry = jobRetry;
    jobCompletion = new JobCompletion(context);
  }

  /**
   * Stops tasks that have not ended. Running ones are ended by their machines; a job that ends or
   * has ended is unchanged.
   */
  public void stop(Cluster cluster, String name, TaskRanges tasks, Instant publishedAt) {
    var named = named(cluster, name, tasks);
    if (isOlder(named, publishedAt)) return;
    switch (named.job().value().state()) {
      case JobState.Waiting _ ->
          throw new InvalidInputException(
              "job",
              "job %1$s waits for others and its tasks are not listed yet; stop the job (mayfly stop %1$s), or its tasks when it runs"
                  .formatted(name));
      case JobState.Expanding _ -> throw listing(name);
      case JobState.Running _ -> {
        var key = named.job().value().key();
        change(
            key, tasks, (shard, chosen) -> ShardTransitions.stopTasks(shard, chosen, publishedAt));
        jobCompletion.completeIfDone(key);
      }
      case JobState.Stopping _, JobState.Finishing _, JobState.Ended _ -> {}
    }
  }

  /**
   * Gives tasks that are not done a new budget: those that failed for good or were stopped run
   * again. An ended job runs again for these tasks alone.
   */
  public void retry(Cluster cluster, String name, TaskRanges tasks, Instant publishedAt) {
    var named = named(cluster, name, tasks);
    if (isOlder(named, publishedAt)) return;
    switch (named.job().value().state()) {
      case JobState.Waiting _ ->
          throw new InvalidInputException(
              "job", "job %s waits for others and none of its tasks has run".formatted(name));
      case JobState.Expanding _ -> throw listing(name);
      case JobState.Running _ ->
          change(
              named.job().value().key(),
              tasks,
              (shard, chosen) -> ShardTransitions.retryTasks(shard, chosen, publishedAt));
      case JobState.Stopping _, JobState.Finishing _ ->
          throw new InvalidInputException(
              "job",
              "job %s is still ending; retry its tasks when it has ended (mayfly jobs)"
                  .formatted(name));
      case JobState.Ended end ->
          jobRetry.retryTasks(cluster, named.name(), named.job(), end, tasks, publishedAt);
    }
  }

  private static UnavailableException listing(String name) {
    return new UnavailableException(
        "the tasks of job " + name + " are being listed; the message is delivered again");
  }

  private JobLookup.Named named(Cluster cluster, String name, TaskRanges tasks) {
    var named = new JobLookup(context.ledger()).job(cluster.uid(), name);
    var count = named.job().value().tasks().count();
    if (count > 0 && tasks.last() >= count)
      throw new InvalidInputException(
          "tasks",
          "job %s has the tasks 0 to %d; there is no task %d"
              .formatted(name, count - 1, tasks.last()));
    return named;
  }

  /** Whether a newer command about the whole job is known, or a later job has the name. */
  private static boolean isOlder(JobLookup.Named named, Instant publishedAt) {
    return CommandOrder.of(named.name().value().lastCommandAt(), publishedAt) != CommandOrder.NEW
        || named.job().value().submittedAt().isAfter(publishedAt);
  }

  /** Changes the shards of these tasks, a few in a batch. */
  private void change(
      DocumentKey.OfJob key, TaskRanges tasks, BiFunction<Shard, TaskSet, Shard> change) {
    var gangs = new LinkedHashSet<String>();
    Transactions.retry("job " + key.job(), () -> changed(key, tasks, change, gangs));
    TriggerSender.send(
        context.bus(),
        new Trigger.Reconcile(key.cluster(), List.copyOf(gangs), List.of(key.job())));
  }

  /**
   * False if another writer came in between.
   *
   * @param gangs receives the workers of changed gangs
   */
  private boolean changed(
      DocumentKey.OfJob key,
      TaskRanges tasks,
      BiFunction<Shard, TaskSet, Shard> change,
      Set<String> gangs) {
    var job = context.ledger().read(key);
    if (job.isEmpty() || !job.get().value().running()) return true;
    var changes = new ArrayList<Change>();
    for (var stored : shards(job.get().value(), tasks)) {
      var shard = stored.value();
      var next = change.apply(shard, tasks.within(shard.start(), shard.end()));
      if (!next.equals(shard)) changes.add(new Change(stored, next));
    }
    for (var from = 0; from < changes.size(); from += BATCH) {
      var some = changes.subList(from, Math.min(changes.size(), from + BATCH));
      var read = from == 0 ? job : context.ledger().read(key);
      if (read.isEmpty() || !read.get().value().running()) return true;
      if (!context.ledger().commit(writes(read.get(), some)).done()) return false;
      for (var c : some) c.was().value().gang().map(GangRun::workers).ifPresent(gangs::addAll);
    }
    return true;
  }

  private record Change(VersionedDocument<Shard> was, Shard next) {
    boolean reopens() {
      return was.value().state() == Shard.State.ENDED && next.isLeasable();
    }
  }

  private List<LedgerWrite> writes(VersionedDocument<Job> job, List<Change> changes) {
    var writes = new ArrayList<LedgerWrite>();
    var owners = new LinkedHashSet<String>();
    for (var change : changes) {
      writes.add(new LedgerWrite.Update(change.next(), change.was().version()));
      change.was().value().owner().map(Shard.Owner::worker).ifPresent(owners::add);
    }
    // A job without open shards may be found complete at the same time: one of both must fail.
    if (changes.stream().anyMatch(Change::reopens))
      writes.add(new LedgerWrite.Update(job.value(), job.version()));
    var work = changes.stream().anyMatch(c -> c.next().isLeasable());
    writes.add(
        new LedgerWrite.Signal(
            job.value().cluster(), context.clock().instant(), work, List.copyOf(owners)));
    return writes;
  }

  /** The shards that hold these tasks, by start. */
  private List<VersionedDocument<Shard>> shards(Job job, TaskRanges tasks) {
    var found = new TreeMap<Long, VersionedDocument<Shard>>();
    var size = Math.max(1, job.tasks().shardSize());
    for (var range : tasks.ranges())
      // Shards are cut at multiples of their first size, and split further.
      for (var from = range.from() - range.from() % size; from <= range.last(); ) {
        var page =
            context
                .ledger()
                .query(new LedgerQuery.Shards(job.cluster(), job.uid(), from, PAGE))
                .requireComplete();
        for (var shard : page)
          if (shard.value().start() <= range.last() && shard.value().end() > range.from())
            found.put(shard.value().start(), shard);
        if (page.size() < PAGE) break;
        from = page.getLast().value().start() + 1;
      }
    return List.copyOf(found.values());
  }
}
