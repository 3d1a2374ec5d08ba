package dev.mayfly.core.control;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.job.Template;
import dev.mayfly.core.lease.ShardSize;
import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.TaskItem;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.port.Alarms;
import dev.mayfly.core.port.Bus;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Places;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns a large job into task lists and shards, a slice at a time: each slice commits a cursor, and
 * a message goes on with the next. A slice that is repeated writes the same.
 */
public final class Expansion {
  static final long MOST = 10_000_000;

  /**
   * Without {index} in it, an output's template is checked for outputs that two tasks share, up to
   * here.
   */
  private static final long CHECKED = 1_000_000;

  private static final int BATCH = 200;

  /** Batches side by side: all that a job has, if nothing must be looked up for its shards. */
  private static final int BATCHES = 5;

  private static final int SLICES = 5;

  private final Ledger ledger;
  private final Bus bus;
  private final TaskLister lister;
  private final SentinelSurvey survey;
  private final Queue queue;
  private final Alarms alarms;
  private final InstantSource clock;

  Expansion(
      Ledger ledger,
      Bus bus,
      TaskLister lister,
      SentinelSurvey survey,
      Queue queue,
      Alarms alarms,
      InstantSource clock) {
    this.ledger = ledger;
    this.bus = bus;
    this.lister = lister;
    this.survey = survey;
    this.queue = queue;
    this.alarms = alarms;
    this.clock = clock;
  }

  /** Goes on with a job that is expanding and that no other call is at. */
  public void go(Key.OfJob key) {
    var cluster = ledger.read(new Key.OfCluster(key.cluster()));
    if (cluster.isEmpty()) return;
    var work = JobWork.of(ledger, clock, key);
    work.run(() -> go(work, cluster.get().value()));
  }

  private void go(JobWork work, Cluster cluster) {
    for (var slice = 1; slice <= SLICES; slice++) {
      var stored = work.stored();
      if (stored.isEmpty()) return;
      if (!(stored.get().value().state() instanceof JobState.Expanding state)) return;
      try {
        if (isCut(stored.get().value(), state)) {
          finish(stored.get());
          return;
        }
        step(work, stored.get().value(), state, cluster.spec(), slice == SLICES);
      } catch (Invalid refused) {
        fail(stored.get(), refused.getMessage());
        return;
      }
    }
    work.stored().ifPresent(s -> Hints.send(bus, expand(s.value())));
  }

  private static Hint expand(Job job) {
    return new Hint.Expand(job.cluster(), job.uid());
  }

  private static boolean isCut(Job job, JobState.Expanding state) {
    return state.cut() >= 0 && state.cut() >= job.tasks();
  }

  /**
   * What one step comes to.
   *
   * @param more what is written with the job
   */
  private record Step(Job next, List<Write> more) {}

  /**
   * @param last whether this call does no more; another one goes on
   */
  private void step(
      JobWork work, Job job, JobState.Expanding state, ClusterSpec cluster, boolean last) {
    var step = state.cut() < 0 ? list(job, state, cluster) : cut(job, state, cluster);
    var next = step.next;
    var until = last ? Optional.<Instant>empty() : Optional.of(work.until());
    var now = (JobState.Expanding) next.state();
    var marked = new JobState.Expanding(now.after(), now.counted(), now.cut(), until);
    work.step(was -> was.sized(next.tasks(), next.shardSize()).with(marked), step.more);
  }

  private Step list(Job job, JobState.Expanding state, ClusterSpec cluster) {
    var listed = lister.next(job.spec(), state.after(), state.counted());
    check(job.spec(), listed.counted());
    var slice = lister.keep(Places.of(cluster.bucket()), job.uid(), listed);
    if (slice.complete() && slice.counted() == 0)
      throw new Invalid("tasks", "the job has no tasks any more: its inputs are gone");
    var next = new JobState.Expanding(slice.after(), slice.counted(), slice.complete() ? 0 : -1);
    var sized = job.with(next);
    if (slice.complete())
      sized = sized.sized(slice.counted(), ShardSize.of(slice.counted(), job.spec(), cluster));
    // Before anything follows from the list: a job that is refused must not go on.
    if (slice.complete()) checkOutputs(sized, cluster);
    return new Step(sized, warning(sized, slice));
  }

  /** Once for a job: the first slice that leaves inputs out tells it. */
  private List<Write> warning(Job job, TaskLister.Slice slice) {
    var warning = slice.unusable().warning(slice.complete());
    var known = new Key.OfEvent(job.cluster(), UnusableInputs.id(job));
    if (warning.isEmpty() || ledger.read(known).isPresent()) return List.of();
    return List.of(
        new Write.Put(UnusableInputs.event(job, clock.instant(), warning.orElseThrow())));
  }

  static void check(JobSpec spec, long tasks) {
    if (tasks > MOST)
      throw new Invalid(
          "tasks",
          "the job has more than %,d tasks, which is the most for one job; make it several jobs"
              .formatted(MOST));
    if (tasks > CHECKED && !unique(spec))
      throw new Invalid(
          "output",
          "with more than %,d tasks the output needs {index} in it, so that no two tasks share one"
              .formatted(CHECKED));
  }

  private static boolean unique(JobSpec spec) {
    return spec.data().output().map(t -> Template.words(t).contains("index")).orElse(true);
  }

  private void checkOutputs(Job job, ClusterSpec cluster) {
    if (unique(job.spec())) return;
    var seen = new Outputs(job.spec(), cluster, job.uid());
    var places = Places.of(cluster.bucket());
    for (var from = 0L; from < job.tasks(); from += TaskLister.SLICE)
      seen.add(lister.read(job, places, from, Math.min(job.tasks(), from + TaskLister.SLICE)));
  }

  private Step cut(Job job, JobState.Expanding state, ClusterSpec cluster) {
    var shards = fresh(job) ? BATCHES * BATCH : BATCH;
    var to = Math.min(job.tasks(), state.cut() + shards * job.shardSize());
    var creates = shards(job, cluster, state.cut(), to, Optional.empty());
    var batches = new ArrayList<Runnable>();
    for (var from = 0; from < creates.size(); from += BATCH) {
      var batch = creates.subList(from, Math.min(creates.size(), from + BATCH));
      batches.add(() -> create(batch));
    }
    alarms.all(batches);
    var next = job.with(new JobState.Expanding(state.after(), state.counted(), to));
    return new Step(next, List.of());
  }

  /** Those that are there were made by an earlier try of this slice. */
  private void create(List<Shard> shards) {
    var creates = shards.stream().<Write>map(Write.Create::new).toList();
    if (!ledger.commit(creates).done()) for (var create : creates) ledger.commit(List.of(create));
  }

  /** Whether its outputs are its own, so that none can be there before it runs. */
  private static boolean fresh(Job job) {
    return job.spec().data().output().isEmpty();
  }

  /** The shards of [from, to), with the tasks that have a sentinel already. */
  List<Shard> shards(
      Job job, ClusterSpec cluster, long from, long to, Optional<List<TaskItem>> items) {
    var places = Places.of(cluster.bucket());
    var shards = new ArrayList<Shard>();
    var fresh = fresh(job);
    for (var at = from; at < to; ) {
      var end =
          Math.min(
              to,
              at + Math.max(job.shardSize(), TaskLister.SLICE / job.shardSize() * job.shardSize()));
      var start = at;
      var done = Bits.none(start);
      if (!fresh) {
        var some =
            items
                .map(i -> i.subList((int) start, (int) end))
                .orElseGet(() -> lister.read(job, places, start, end));
        // No task is leased whose output was not looked at here, however long the list is.
        Outputs.checkPlaces(job.spec(), cluster, job.uid(), some);
        done = survey.done(job.spec(), cluster.bucket(), job.uid(), some);
      }
      for (; at < end; at += job.shardSize()) {
        var stop = Math.min(end, at + job.shardSize());
        shards.add(
            Shard.of(new Key.OfShard(job.cluster(), job.uid(), at), stop, done.within(at, stop)));
      }
      at = end;
    }
    return shards;
  }

  private void finish(Stored<Job> stored) {
    var job = stored.value();
    if (!fresh(job) && ledger.query(new Query.OpenShards(job.cluster(), job.uid(), 1)).isEmpty()) {
      // Every task has its sentinel: nobody needs a turn, and no machine is bought.
      var finishing = job.with(new JobState.Finishing(clock.instant(), false));
      done(job, ledger.commit(List.of(new Write.Update(finishing, stored.version()))));
      Hints.send(bus, new Hint.Audit(job.cluster(), job.uid()));
      return;
    }
    var running = job.with(new JobState.Running(clock.instant()));
    done(job, queue.enter(running, List.of(new Write.Update(running, stored.version()))));
    Hints.send(bus, Hint.Look.job(job.key()));
  }

  private static void done(Job job, Committed committed) {
    if (!committed.done())
      throw new Unavailable("job " + job.spec().name() + " was changed meanwhile");
  }

  private void fail(Stored<Job> stored, String reason) {
    var job = stored.value();
    var end = new JobState.Ended(clock.instant(), JobState.Result.FAILED, reason);
    queue.end(stored, job.ended(end, new Totals(0, 0, 0, 0, 0), Map.of(), Optional.empty()));
  }
}
