package dev.mayfly.core.control;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobName;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Listing;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says why a job is where it is, from what is stored. */
final class Explainer {
  private static final int EVENTS = 10;
  private static final int LOOKED_AT = 50;

  private final Ledger ledger;
  private final InstantSource clock;

  Explainer(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  Explanation explain(Cluster cluster, Job job) {
    var totals = job.totals().orElseGet(() -> ledger.totals(job.key()));
    var reasons = new ArrayList<Explanation.Reason>();
    var queue = List.<String>of();
    if (job.state() instanceof JobState.Running) {
      var rows = turns(job);
      queue = TurnReasons.ahead(rows, job, cluster.spec());
      if (totals.ready() > 0) {
        var found = ledger.query(new Query.Workers(cluster.uid(), false, 2_000));
        var workers = known(found, reasons);
        reasons.addAll(new WaitingReasons(ledger, clock.instant()).of(cluster, job, rows, workers));
        var unknown = WorkerNames.pools(cluster, found.unreadable());
        reasons.addAll(new PlanReasons(ledger, clock, unknown).of(cluster, job, rows, workers));
      }
      if (totals.leased() > 0) running(job, totals, reasons);
    }
    reasons.addAll(AttemptReasons.of(job, shards(job, reasons)));
    return new Explanation(
        job.spec().name(), summary(job, totals), reasons, queue, events(cluster, job));
  }

  private List<Shard> shards(Job job, List<Explanation.Reason> reasons) {
    return known(ledger.query(new Query.Shards(job.cluster(), job.uid(), 0, 100)), reasons);
  }

  /** What can be read; what cannot is a reason. */
  private static <D extends Document> List<D> known(
      Listing<D> found, List<Explanation.Reason> reasons) {
    return found
        .readable(u -> reasons.add(new Explanation.Reason(WorkerViews.UNREADABLE, u.toString())))
        .stream()
        .map(Stored::value)
        .toList();
  }

  /** Its own: jobs before and after it may have had its name, one at a time. */
  private List<Event> events(Cluster cluster, Job job) {
    var about = Optional.of("job/" + job.spec().name());
    var until =
        readable(new Key.OfJobName(cluster.uid(), job.spec().name()))
            .flatMap(JobName::job)
            .filter(newest -> !newest.equals(job.uid()))
            .flatMap(newest -> readable(new Key.OfJob(cluster.uid(), newest)))
            .map(Job::acceptedAt)
            .orElse(Instant.MAX);
    return ledger.query(new Query.Events(cluster.uid(), about, LOOKED_AT)).some().stream()
        .map(Stored::value)
        .filter(e -> !e.at().isBefore(job.acceptedAt()) && e.at().isBefore(until))
        .limit(EVENTS)
        .toList();
  }

  private <D extends Document> Optional<D> readable(Key<D> key) {
    return ledger.readAll(List.of(key)).some().stream().map(Stored::value).findFirst();
  }

  private String summary(Job job, Totals totals) {
    var now = clock.instant();
    var counts =
        "%,d of %,d tasks done, %,d leased, %,d waiting, %,d failed for good"
            .formatted(
                totals.done(), job.tasks(), totals.leased(), totals.ready(), totals.failed());
    return switch (job.state()) {
      case JobState.Expanding e ->
          "its tasks are being listed: %,d so far, for %s"
              .formatted(e.counted(), length(job.acceptedAt(), now));
      case JobState.Running r -> counts + ", accepted " + ago(job.acceptedAt(), now);
      case JobState.Stopping s ->
          "stopping since " + length(s.since(), now) + " (" + s.by() + "): " + counts;
      case JobState.Finishing f -> "every task ended; outputs are compared with their sentinels";
      case JobState.Ended e ->
          Views.word(e)
              + " "
              + ago(e.since(), now)
              + " after "
              + length(job.acceptedAt(), e.since())
              + ": "
              + e.reason();
    };
  }

  private List<Turns.Row> turns(Job job) {
    return Renewable.read(ledger, new Key.OfTurns(job.cluster()))
        .value()
        .map(Turns::rows)
        .orElse(List.of());
  }

  private void running(Job job, Totals totals, List<Explanation.Reason> reasons) {
    var leased =
        ledger.query(new Query.LeasedShards(job.cluster(), job.uid(), 100)).some().stream()
            .map(Stored::value)
            .toList();
    var holders =
        leased.stream()
            .collect(
                Collectors.groupingBy(
                    s -> s.owner().map(Shard.Owner::worker).orElse("?"),
                    LinkedHashMap::new,
                    Collectors.summingLong(Shard::open)));
    var text =
        holders.entrySet().stream()
            .limit(8)
            .map(e -> e.getKey() + " (" + e.getValue() + ")")
            .collect(Collectors.joining(", "));
    reasons.add(
        new Explanation.Reason(
            "running",
            count(totals.leased(), "task")
                + (totals.leased() == 1 ? " is leased to " : " are leased to ")
                + text));
    reasons.addAll(GangReasons.running(leased));
  }

  /** The amounts of what {@code of} asks for, in words. */
  static String amount(Resources r, Resources of) {
    var parts = new ArrayList<String>();
    if (of.cpuMillis() > 0) parts.add(number(r.cpuMillis() / 1000.0) + " CPU");
    if (of.memoryBytes() > 0)
      parts.add(number(Math.round(r.memoryBytes() / 107374182.4) / 10.0) + " GiB");
    if (of.gpuMillis() > 0) parts.add(number(r.gpuMillis() / 1000.0) + " GPU");
    if (of.tpuChips() > 0) parts.add(r.tpuChips() + " TPU chips");
    return parts.isEmpty() ? "nothing" : String.join(", ", parts);
  }

  static String number(double n) {
    return n == Math.rint(n) ? Long.toString((long) n) : Double.toString(n);
  }

  /** {@code 1 task}, {@code 2,000 tasks}. */
  static String count(long n, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", n, noun, n == 1 ? "" : "s");
  }

  static String ago(Instant then, Instant now) {
    return length(then, now) + " ago";
  }

  /** A length of time as people say it: its two largest units. */
  static String length(Instant from, Instant to) {
    var s = Math.max(0, Duration.between(from, to).toSeconds());
    if (s < 60) return s + " s";
    if (s < 3_600) return s / 60 + " min" + (s % 60 == 0 ? "" : " " + s % 60 + " s");
    if (s < 86_400) return s / 3_600 + " h" + (s % 3_600 < 60 ? "" : " " + s % 3_600 / 60 + " min");
    return s / 86_400 + " d " + s % 86_400 / 3_600 + " h";
  }
}
