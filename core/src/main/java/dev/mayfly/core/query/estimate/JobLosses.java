package dev.mayfly.core.query.estimate;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What a job lost by no fault of its tasks, as some of its ranges count it.
 *
 * @param shards those ranges
 */
record JobLosses(Job job, List<Shard> shards) {
  private static final int MOST_SHARDS = 100;

  static JobLosses of(Ledger ledger, Job job) {
    var query = new LedgerQuery.Shards(job.cluster(), job.uid(), 0, MOST_SHARDS);
    return new JobLosses(
        job, ledger.query(query).readableOnly().stream().map(VersionedDocument::value).toList());
  }

  RestOfJob.Losses of(JobMachines machines, int running, long done) {
    var ended = shards.stream().mapToLong(shard -> shard.done().count()).sum();
    if (lost() == 0 && !machines.areSpot()) return RestOfJob.Losses.NONE;
    return new RestOfJob.Losses(
        ended == 0 ? lost() : (double) lost() * Math.max(done, ended) / ended,
        machines.together(running),
        machines.replacing(),
        job.spec().run().taskEnvironment().checkpoint().isPresent());
  }

  /** How much of its spread is that it may lose more; nothing where that is little. */
  String undisturbed(RestOfJob rest, RestOfJob.Spread disturbed, int seed, Instant now) {
    if (rest.losses().lost() == 0) return "";
    var spread = rest.undisturbed().spread(new SplittableRandom(seed));
    if (!disturbed.isMuchLaterThan(spread)) return "";
    return "; %s: in about %s if %s"
        .formatted(
            isOutranked()
                ? "jobs of a higher priority ended tasks of it, and may end more"
                : "it has lost machines and may lose more",
            JobEstimate.span(
                now,
                EstimateReader.after(now, spread.least()),
                EstimateReader.after(now, spread.most())),
            isOutranked() ? "they do not" : "it does not");
  }

  /** Whether most of it was lost to jobs of a higher priority. */
  private boolean isOutranked() {
    var outranked =
        shards.stream()
            .mapToLong(shard -> shard.attempts().getOrDefault(FailureCause.OUTRANKED, 0L))
            .sum();
    return 2 * outranked > lost();
  }

  private long lost() {
    return shards.stream().mapToLong(shard -> repeated(shard.attempts())).sum();
  }

  private static long repeated(Map<FailureCause, Long> attempts) {
    return attempts.entrySet().stream()
        .filter(entry ->
            switch (entry.getKey().budget()) {
              case INFRASTRUCTURE, PLATFORM -> true;
              case FAILURES, NONE -> false;
            })
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
