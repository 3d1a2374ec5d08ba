package dev.mayfly.core.state.job.limit;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.spending.JobSpending;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.Context;
import java.util.List;
import java.util.Optional;

/** Reads what jobs have cost that have a {@code maxUsd}. */
public final class SpendingReader {
  private static final int MOST_WORKERS = 10_000;
  private static final int MOST_MOVED = 1_000;

  /** A machine that ends between two readings moves what it counted: then both are read again. */
  private static final int READINGS = 3;

  private final Context context;

  public SpendingReader(Context context) {
    this.context = context;
  }

  /**
   * What was moved when it was read, and the job after that: what is added to it meanwhile is in
   * both.
   */
  private record Reading(Job job, List<Usage> moved) {
    JobSpending with(List<Worker> workers, Context context) {
      return JobSpending.of(job, moved, workers, context.clock().instant());
    }

    /** Whether nothing of the job was moved or added in between. */
    boolean isLike(Reading other) {
      return job.spending().equals(other.job.spending()) && moved.equals(other.moved);
    }
  }

  /**
   * An upper bound of what the job costs, with workers that were read before: one that has ended
   * since may be counted twice. Empty if the job is gone or cannot be read.
   */
  Optional<JobSpending> atMost(Job job, List<Worker> workers) {
    return read(job).map(reading -> reading.with(workers, context));
  }

  /** What the job costs; empty while machines end again and again between readings. */
  public Optional<JobSpending> exactly(Job job) {
    var before = read(job);
    for (var i = 0; i < READINGS && before.isPresent(); i++) {
      var workers =
          context
              .ledger()
              .query(new LedgerQuery.Workers(job.cluster(), false, MOST_WORKERS))
              .readableOnly();
      var after = read(job);
      if (after.filter(before.get()::isLike).isPresent())
        return after.map(
            it -> it.with(workers.stream().map(VersionedDocument::value).toList(), context));
      before = after;
    }
    return Optional.empty();
  }

  private Optional<Reading> read(Job job) {
    var moved =
        context
            .ledger()
            .query(new LedgerQuery.Usages(job.cluster(), Usage.ENDED, MOST_MOVED))
            .readableOnly()
            .stream()
            .map(VersionedDocument::value)
            .filter(usage ->
                usage.rows().stream()
                    .anyMatch(row -> row.job().filter(job.uid()::equals).isPresent()))
            .toList();
    var key = new DocumentKey.OfJob(job.cluster(), job.uid());
    return context.ledger().readAll(List.of(key)).readableOnly().stream()
        .findFirst()
        .map(stored -> new Reading(stored.value(), moved));
  }
}
