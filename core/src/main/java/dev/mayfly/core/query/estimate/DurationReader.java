package dev.mayfly.core.query.estimate;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.query.task.TaskQueries;
import dev.mayfly.core.query.task.TaskRequest;
import dev.mayfly.core.query.task.TaskStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what tasks of a cluster's jobs took, for one answer: some sentinels of each job. */
final class DurationReader {
  private static final int PAGES = 3;
  private static final int MOST_JOBS = 50;
  private static final double MILLIS = 1_000;

  private final Ledger ledger;
  private final TaskQueries taskQueries;
  private final Cluster cluster;
  private @Nullable List<Job> newest;

  DurationReader(Ledger ledger, TaskQueries taskQueries, Cluster cluster) {
    this.ledger = ledger;
    this.taskQueries = taskQueries;
    this.cluster = cluster;
  }

  /** What those of an earlier job took. */
  record Earlier(Job job, DurationSample took) {}

  /**
   * What tasks took that the job has done, from several places of it; empty if that is not known.
   *
   * @param done how many it has done
   * @param each how many are read at each place
   */
  Optional<DurationSample> took(Job job, long done, int each) {
    var took = new HashMap<Long, Double>();
    for (var i = 0; done > 0 && i < PAGES; i++) {
      var from = job.tasks().count() * i / PAGES;
      var request = new TaskRequest(Optional.of(TaskStatus.State.DONE), from, each);
      for (var task : taskQueries.page(cluster, job, request).tasks())
        took(task).ifPresent(seconds -> took.put(task.index(), seconds));
    }
    return took.isEmpty()
        ? Optional.empty()
        : Optional.of(new DurationSample(List.copyOf(took.values()), done));
  }

  /** Of a task whose machine's clock was set back meanwhile it is not known. */
  private static Optional<Double> took(TaskStatus task) {
    if (task.doneBefore()) return Optional.empty();
    return task.startedAt()
        .flatMap(from -> task.endedAt().map(to -> Duration.between(from, to).toMillis() / MILLIS))
        .filter(seconds -> seconds >= 0);
  }

  /** Those of the newest ended job of its name that did something. */
  Optional<Earlier> earlier(Job job, int each) {
    for (var before : newest()) {
      if (before.uid().equals(job.uid())
          || !before.spec().address().equals(job.spec().address())
          || !(before.state() instanceof JobState.Ended)) continue;
      var took = took(before, ledger.totals(before.key()).done(), each);
      if (took.isPresent()) return Optional.of(new Earlier(before, took.get()));
    }
    return Optional.empty();
  }

  private List<Job> newest() {
    if (newest == null)
      newest =
          ledger.query(new LedgerQuery.Jobs(cluster.uid(), MOST_JOBS)).readableOnly().stream()
              .map(VersionedDocument::value)
              .toList();
    return newest;
  }
}
