package dev.mayfly.core.control;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobName;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.plan.Amounts;
import dev.mayfly.core.plan.Spans;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Listing;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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
              .formatted(e.counted(), Spans.between(job.acceptedAt(), now));
      case JobState.Running r -> counts + ", accepted " + Spans.ago(job.acceptedAt(), now);
      case JobState.Stopping s ->
          "stopping since " + Spans.between(s.since(), now) + " (" + s.by() + "): " + counts;
      case JobState.Finishing f -> "every task ended; outputs are compared with their sentinels";
      case JobState.Ended e ->
          Views.word(e)
              + " "
              + Spans.ago(e.since(), now)
              + " after "
              + Spans.between(job.acceptedAt(), e.since())
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
            Amounts.count(totals.leased(), "task")
                + (totals.leased() == 1 ? " is leased to " : " are leased to ")
                + text));
    reasons.addAll(GangReasons.running(leased));
  }

  /** The amounts of what {@code of} asks for, in words. */
}
