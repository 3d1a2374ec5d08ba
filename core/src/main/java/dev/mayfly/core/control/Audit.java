package dev.mayfly.core.control;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.job.Template;
import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Failure;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.TaskItem;
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
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ends a job: what lies at its outputs is compared with what the sentinels pin and with the done
 * bits, and the outcome objects tell of every task. A piece that is there is not made again, so
 * that a repeat goes on where an earlier try ended.
 */
public final class Audit {
  static final int PIECE = 10_000;
  private static final int PIECES = 20;

  /** What a directory's output is called in it; see {@code core.agent}'s uploads. */
  private static final String INDEX = "/index.json";

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

  /** Goes on with a job that is FINISHING; nothing to do for any other. */
  public void go(Key.OfJob key) {
    var stored = ledger.read(key);
    if (stored.isEmpty() || !(stored.get().value().state() instanceof JobState.Finishing finishing))
      return;
    var cluster = ledger.read(new Key.OfCluster(key.cluster())).map(Stored::value);
    if (cluster.isEmpty()) return;
    var job = stored.get().value();
    var places = Places.of(cluster.get().spec().bucket());
    var since = finishing.since().toString();
    var shards = shards(ledger, job).stream().map(Stored::value).toList();
    var sums = new EnumMap<TaskOutcome.Result, Long>(TaskOutcome.Result.class);
    var made = 0;
    for (var piece = 0; (long) piece * PIECE < job.tasks(); piece++) {
      // A piece of an earlier end of this job, before a retry, tells nothing of this one.
      var there = objects.find(places.outcome(job.uid(), piece)).filter(p -> of(p, since));
      if (there.isEmpty() && ++made > PIECES) {
        Hints.send(bus, new Hint.Audit(key.cluster(), key.job()));
        return;
      }
      var counts =
          there.isPresent() ? counts(there.get()) : make(job, cluster.get(), shards, piece, since);
      counts.forEach((result, n) -> sums.merge(result, n, Long::sum));
    }
    end(stored.get(), places, shards, sums);
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
    var known = new Known(shards, from, to);
    var found = found(survey, job, bucket, items);
    var lines =
        items.stream()
            .map(i -> outcome(i, Template.output(job.spec(), bucket, job.uid(), i), found, known))
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

  /**
   * What lies at the tasks' outputs and sentinels. Where a sentinel pins an output that is not
   * there, it may be a directory's, which is the index in it.
   */
  static Map<String, ObjectInfo> found(
      SentinelSurvey survey, Job job, String bucket, List<TaskItem> items) {
    var urls = new ArrayList<String>();
    var outputs =
        items.stream().map(i -> Template.output(job.spec(), bucket, job.uid(), i)).toList();
    for (var output : outputs) {
      urls.add(output);
      urls.add(output + Sentinel.SUFFIX);
    }
    var found = survey.find(urls);
    var indexes = new ArrayList<String>();
    for (var output : outputs)
      if (!found.containsKey(output) && pinned(found.get(output + Sentinel.SUFFIX)) != 0)
        indexes.add(output + INDEX);
    found.putAll(survey.find(indexes));
    return found;
  }

  /**
   * The generation of the output that a sentinel names; 0 for a foreign one, and for a task without
   * output.
   */
  private static long pinned(@Nullable ObjectInfo sentinel) {
    if (sentinel == null) return 0;
    return Sentinel.by(sentinel.metadata()).map(Sentinel.By::generation).orElse(0L);
  }

  static TaskOutcome outcome(
      TaskItem item, String output, Map<String, ObjectInfo> found, Known known) {
    var sentinel = found.get(output + Sentinel.SUFFIX);
    var failure = Optional.ofNullable(known.failures.get(item.index()));
    if (sentinel == null) {
      var result =
          known.done.has(item.index())
              ? TaskOutcome.Result.INCONSISTENT
              : known.failed.has(item.index())
                  ? TaskOutcome.Result.FAILED
                  : TaskOutcome.Result.NOT_RUN;
      return new TaskOutcome(item.index(), result, Optional.of(output), Optional.empty(), failure);
    }
    var by = Sentinel.by(sentinel.metadata());
    var pinned = pinned(sentinel);
    var there = found.getOrDefault(output, found.get(output + INDEX));
    var same = pinned == 0 || (there != null && there.generation() == pinned);
    return new TaskOutcome(
        item.index(),
        same ? TaskOutcome.Result.DONE : TaskOutcome.Result.INCONSISTENT,
        Optional.of(output),
        Optional.of(by.map(b -> b.job() + "/" + b.attempt()).orElse("foreign")),
        same ? Optional.empty() : failure);
  }

  private void end(
      Stored<Job> stored, Places places, List<Shard> shards, Map<TaskOutcome.Result, Long> sums) {
    var job = stored.value();
    var done = sums.getOrDefault(TaskOutcome.Result.DONE, 0L);
    var failed = sums.getOrDefault(TaskOutcome.Result.FAILED, 0L);
    var not = sums.getOrDefault(TaskOutcome.Result.NOT_RUN, 0L);
    var wrong = sums.getOrDefault(TaskOutcome.Result.INCONSISTENT, 0L);
    var causes = new EnumMap<Cause, Long>(Cause.class);
    for (var shard : shards) shard.attempts().forEach((c, n) -> causes.merge(c, n, Long::sum));
    var totals = new Totals(done, failed + wrong, not, 0, shards.size());
    var end =
        new JobState.Ended(clock.instant(), result(job, done), reason(done, failed, not, wrong));
    var outcome =
        job.tasks() == 0
            ? Optional.<String>empty()
            : Optional.of(places.outcome(job.uid(), 0).toString());
    queue.end(stored, job.ended(end, totals, causes, outcome));
  }

  private static JobState.Result result(Job job, long done) {
    if (job.tasks() > 0 && done == job.tasks()) return JobState.Result.SUCCEEDED;
    var stopped = job.state() instanceof JobState.Finishing f && f.stopped();
    return stopped ? JobState.Result.STOPPED : JobState.Result.FAILED;
  }

  private static String reason(long done, long failed, long not, long wrong) {
    var text = "%,d done".formatted(done);
    if (failed > 0) text += ", %,d failed for good".formatted(failed);
    if (not > 0) text += ", %,d not run".formatted(not);
    if (wrong > 0)
      text +=
          ", %,d inconsistent: the output is not the one that the sentinel pins".formatted(wrong);
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

  /** What the ledger knows of the tasks in [from, to). */
  static final class Known {
    final Bits done;
    final Bits failed;
    final Map<Long, Failure> failures = new HashMap<>();

    Known(List<Shard> shards, long from, long to) {
      var d = Bits.none(from);
      var f = Bits.none(from);
      for (var shard : shards) {
        if (shard.end() <= from || shard.start() >= to) continue;
        d = d.or(shard.done().within(shard.start(), Math.min(to, shard.end())));
        f = f.or(shard.failed().within(shard.start(), Math.min(to, shard.end())));
        shard.evidence().forEach(e -> failures.put(e.index(), e));
      }
      done = d;
      failed = f;
    }
  }
}
