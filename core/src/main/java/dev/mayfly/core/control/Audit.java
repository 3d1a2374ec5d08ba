package dev.mayfly.core.control;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.job.Template;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.TaskOutcome;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.port.Bus;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Places;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Ends a job: what lies at its outputs is compared with what the sentinels pin and with the done
 * bits, and the outcome objects tell of every task. A piece that is there is not made again, so
 * that a repeat goes on where an earlier try ended.
 */
public final class Audit {
  static final int PIECE = 10_000;
  private static final int PIECES = 20;

  private static final String SINCE = "mayfly-finishing";

  private final Ledger ledger;
  private final Bus bus;
  private final Objects objects;
  private final Codec codec;
  private final TaskLister lister;
  private final SentinelSurvey survey;
  private final Queue queue;
  private final InstantSource clock;

  Audit(
      Ledger ledger,
      Bus bus,
      Objects objects,
      Codec codec,
      TaskLister lister,
      SentinelSurvey survey,
      Queue queue,
      InstantSource clock) {
    this.ledger = ledger;
    this.bus = bus;
    this.objects = objects;
    this.codec = codec;
    this.lister = lister;
    this.survey = survey;
    this.queue = queue;
    this.clock = clock;
  }

  /** Goes on with a job that is FINISHING and that no other call is at. */
  public void go(Key.OfJob key) {
    var cluster = ledger.read(new Key.OfCluster(key.cluster())).map(Stored::value);
    if (cluster.isEmpty()) return;
    var work = JobWork.of(ledger, clock, key);
    work.run(() -> go(work, cluster.get()));
  }

  private void go(JobWork work, Cluster cluster) {
    for (var made = 0; ; ) {
      var stored = work.stored();
      if (stored.isEmpty() || !(stored.get().value().state() instanceof JobState.Finishing state))
        return;
      var job = stored.get().value();
      var sofar = state.audited().orElse(JobState.Audited.NOTHING);
      if (sofar.tasks() >= job.tasks()) {
        end(stored.get(), cluster, sofar);
        return;
      }
      var piece = piece(job, cluster, state.since(), sofar);
      if (piece.made) made++;
      if (piece.sofar.tasks() >= job.tasks()) {
        end(stored.get(), cluster, piece.sofar);
        return;
      }
      var last = made >= PIECES;
      var until = last ? Optional.<Instant>empty() : Optional.of(work.until());
      var next =
          new JobState.Finishing(state.since(), state.stopped(), Optional.of(piece.sofar), until);
      work.step(was -> was.with(next));
      if (last) {
        work.stored().ifPresent(s -> Hints.send(bus, new Hint.Audit(job.cluster(), job.uid())));
        return;
      }
    }
  }

  /**
   * What is compared once a piece more is.
   *
   * @param made whether its outcome object was not there before
   */
  private record Piece(JobState.Audited sofar, boolean made) {}

  private Piece piece(Job job, Cluster cluster, Instant finishing, JobState.Audited before) {
    var since = finishing.toString();
    var number = (int) (before.tasks() / PIECE);
    var to = Math.min(job.tasks(), before.tasks() + PIECE);
    var shards = shards(job, before.shard(), to);
    // A piece of an earlier end of this job, before a retry, tells nothing of this one.
    var there =
        objects
            .find(Places.of(cluster.spec().bucket()).outcome(job.uid(), number))
            .filter(p -> of(p, since));
    var counts =
        there.isPresent() ? counts(there.get()) : make(job, cluster, shards, number, since);
    return new Piece(plus(before, to, counts, shards), there.isEmpty());
  }

  private static JobState.Audited plus(
      JobState.Audited before, long to, Map<TaskOutcome.Result, Long> counts, List<Shard> shards) {
    var attempts = new EnumMap<Cause, Long>(Cause.class);
    attempts.putAll(before.attempts());
    var begun = before.shards();
    for (var shard : shards) {
      if (shard.start() < before.tasks()) continue;
      begun++;
      shard.attempts().forEach((c, n) -> attempts.merge(c, n, Long::sum));
    }
    return new JobState.Audited(
        to,
        shards.isEmpty() ? before.shard() : shards.getLast().start(),
        begun,
        before.done() + counts.getOrDefault(TaskOutcome.Result.DONE, 0L),
        before.failed() + counts.getOrDefault(TaskOutcome.Result.FAILED, 0L),
        before.notRun() + counts.getOrDefault(TaskOutcome.Result.NOT_RUN, 0L),
        before.inconsistent() + counts.getOrDefault(TaskOutcome.Result.INCONSISTENT, 0L),
        attempts);
  }

  /** Those from that one on which begin before {@code to}. */
  private List<Shard> shards(Job job, long first, long to) {
    var some = new ArrayList<Shard>();
    var from = first;
    var page = Math.clamp((to - first) / Math.max(1, job.shardSize()) + 2, 2, 300);
    while (true) {
      var found = ledger.query(new Query.Shards(job.cluster(), job.uid(), from, page)).complete();
      for (var shard : found) {
        if (shard.value().start() >= to) return some;
        some.add(shard.value());
      }
      if (found.size() < page) return some;
      from = found.getLast().value().start() + 1;
    }
  }

  static List<Stored<Shard>> shards(Ledger ledger, Job job) {
    var all = new ArrayList<Stored<Shard>>();
    var from = 0L;
    while (true) {
      var page = ledger.query(new Query.Shards(job.cluster(), job.uid(), from, 300)).complete();
      all.addAll(page);
      if (page.size() < 300) return all;
      from = page.getLast().value().start() + 1;
    }
  }

  private static boolean of(ObjectInfo piece, String since) {
    return since.equals(piece.metadata().get(SINCE));
  }

  private Map<TaskOutcome.Result, Long> make(
      Job job, Cluster cluster, List<Shard> shards, int piece, String since) {
    var from = (long) piece * PIECE;
    var to = Math.min(job.tasks(), from + PIECE);
    var bucket = cluster.spec().bucket();
    var places = Places.of(bucket);
    var items = lister.read(job, places, from, to);
    var known = new OutputCheck.Known(shards, from, to);
    var found = OutputCheck.found(survey, job, bucket, items);
    var lines =
        items.stream()
            .map(i ->
                OutputCheck.outcome(
                    i, Template.output(job.spec(), bucket, job.uid(), i), found, known))
            .toList();
    var counts = new EnumMap<TaskOutcome.Result, Long>(TaskOutcome.Result.class);
    lines.forEach(l -> counts.merge(l.result(), 1L, Long::sum));
    var metadata = new HashMap<String, String>();
    counts.forEach((result, n) -> metadata.put("mayfly-" + word(result), Long.toString(n)));
    metadata.put(SINCE, since);
    var content = Objects.Content.of(codec.outcome(lines));
    var at = places.outcome(job.uid(), piece);
    var created = objects.create(at, content, metadata);
    if (!(created instanceof Objects.Creation.Exists e)) return counts;
    if (of(e.info(), since)) return counts(e.info());
    return switch (objects.replace(at, content, metadata, e.info().generation())) {
      case Objects.Replacement.Replaced r -> counts;
      case Objects.Replacement.Changed c ->
          counts(
              c.there()
                  .filter(o -> of(o, since))
                  .orElseThrow(() -> new Unavailable(at + " is being written elsewhere")));
    };
  }

  private void end(Stored<Job> stored, Cluster cluster, JobState.Audited all) {
    var job = stored.value();
    var totals =
        new Totals(all.done(), all.failed() + all.inconsistent(), all.notRun(), 0, all.shards());
    var end = new JobState.Ended(clock.instant(), result(job, all.done()), reason(all));
    var outcome =
        job.tasks() == 0
            ? Optional.<String>empty()
            : Optional.of(Places.of(cluster.spec().bucket()).outcome(job.uid(), 0).toString());
    queue.end(stored, job.ended(end, totals, all.attempts(), outcome));
  }

  private static JobState.Result result(Job job, long done) {
    if (job.tasks() > 0 && done == job.tasks()) return JobState.Result.SUCCEEDED;
    var stopped = job.state() instanceof JobState.Finishing f && f.stopped();
    return stopped ? JobState.Result.STOPPED : JobState.Result.FAILED;
  }

  private static String reason(JobState.Audited all) {
    var text = "%,d done".formatted(all.done());
    if (all.failed() > 0) text += ", %,d failed for good".formatted(all.failed());
    if (all.notRun() > 0) text += ", %,d not finished".formatted(all.notRun());
    if (all.inconsistent() > 0)
      text +=
          ", %,d inconsistent: the output is not the one that the sentinel pins"
              .formatted(all.inconsistent());
    return text;
  }

  private static String word(TaskOutcome.Result result) {
    return result.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }

  private static Map<TaskOutcome.Result, Long> counts(ObjectInfo info) {
    var counts = new EnumMap<TaskOutcome.Result, Long>(TaskOutcome.Result.class);
    for (var result : TaskOutcome.Result.values()) {
      var n = info.metadata().get("mayfly-" + word(result));
      if (n != null) counts.put(result, Long.parseLong(n));
    }
    return counts;
  }
}
