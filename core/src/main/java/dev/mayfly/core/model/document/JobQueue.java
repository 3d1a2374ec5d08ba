package dev.mayfly.core.model.document;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.Placement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * {@code …/control/job-queue}: whose turn it is, best first, and why somebody waits.
 *
 * @param rows the jobs that may be granted leases, in order of priority, then age
 * @param counted as of when a round counted what each of them runs; empty if none did yet
 */
public record JobQueue(String cluster, Instant at, List<Row> rows, Optional<Instant> counted)
    implements LedgerDocument {
  public JobQueue {
    rows = List.copyOf(rows);
  }

  /** Those of which nothing was counted. */
  public JobQueue(String cluster, Instant at, List<Row> rows) {
    this(cluster, at, rows, Optional.empty());
  }

  /**
   * One job in the queue.
   *
   * @param place where it may run
   * @param running how many of its tasks ran when a round counted them; 0 where one owner alone has
   *     jobs of the priority, for then nothing depends on it
   * @param grants tasks that may still be leased until the next round; unlimited when empty
   * @param preemptions from how many attempts on a task is for no spot machine; 0: it always is
   * @param urgent from when on its tasks may have the machines that are kept for such work
   * @param gang how many workers run each task together, all of which a round finds; 1: whoever has
   *     room takes what it has room for
   * @param kept workers that are for this job, and for none but those of a higher priority: it
   *     waits for all of them, or for all of their room
   * @param keptUntil when what runs on them is over at the latest, if that is known: tasks that are
   *     over before may have what is free there
   */
  public record Row(
      String job,
      String name,
      String owner,
      int priority,
      Instant submittedAt,
      Resources need,
      Placement place,
      boolean exclusive,
      long running,
      Optional<Long> grants,
      int preemptions,
      Optional<Instant> urgent,
      int gang,
      List<String> kept,
      Optional<Instant> keptUntil) {
    public Row {
      kept = List.copyOf(kept);
    }

    /** One for which no worker is kept. */
    public Row(
        String job,
        String name,
        String owner,
        int priority,
        Instant submittedAt,
        Resources need,
        Placement place,
        boolean exclusive,
        long running,
        Optional<Long> grants,
        int preemptions,
        Optional<Instant> urgent,
        int gang) {
      this(
          job,
          name,
          owner,
          priority,
          submittedAt,
          need,
          place,
          exclusive,
          running,
          grants,
          preemptions,
          urgent,
          gang,
          List.of(),
          Optional.empty());
    }

    public Row withRunning(long now) {
      return with(now, kept, keptUntil);
    }

    public Row withKept(List<String> workers, Optional<Instant> until) {
      return with(running, workers, until);
    }

    private Row with(long now, List<String> workers, Optional<Instant> until) {
      return new Row(
          job,
          name,
          owner,
          priority,
          submittedAt,
          need,
          place,
          exclusive,
          now,
          grants,
          preemptions,
          urgent,
          gang,
          workers,
          until);
    }

    /** About how many bytes it takes where it is stored, rather too many than too few. */
    long bytes() {
      var words = new ArrayList<>(place.names());
      words.addAll(List.of(job, name, owner));
      words.addAll(kept);
      return ROW + words.stream().mapToLong(w -> w.getBytes(UTF_8).length + 4L).sum();
    }

    /**
     * Whether a worker that is kept for this row is closed to tasks of another: it is not for those
     * of a higher priority, nor for those that are over in time.
     *
     * @param longest how long one task of the other row runs at most; empty if nobody said
     */
    public boolean keepsFrom(Row other, Supplier<Optional<Duration>> longest, Instant now) {
      if (other.job.equals(job) || other.priority > priority) return false;
      return keptUntil
          .filter(now::isBefore)
          .flatMap(until -> longest.get().filter(most -> !now.plus(most).isAfter(until)))
          .isEmpty();
    }

    /** Whether the worker may have its READY shards. */
    public boolean takes(Worker worker, Instant now) {
      if (worker.mayRun(place)) return true;
      return urgent.filter(from -> !now.isBefore(from)).isPresent() && worker.mayRunFallback(place);
    }

    /** Whether the worker may have its SPENT shards. */
    public boolean takesSpent(Worker worker) {
      return preemptions > 0
          && worker.provisioning() != Provisioning.SPOT
          && worker.mayRunFallback(place);
    }
  }

  /** What a row takes without the words in it: field names, numbers and times. */
  private static final int ROW = 420;

  /**
   * What all rows may take: they are one document, of which a store takes a mebibyte, and each
   * submission writes it.
   */
  private static final long MOST = 700_000;

  /** The order of turns: priority, then age; the uid only so that equal views give equal queues. */
  public static final Comparator<Row> ORDER =
      Comparator.comparingInt(Row::priority)
          .reversed()
          .thenComparing(Row::submittedAt)
          .thenComparing(Row::job);

  /** The row of a job without a limit. */
  public static Row row(Job job) {
    return new Row(
        job.uid(),
        job.spec().name(),
        job.spec().owner().orElse(""),
        job.spec().priority(),
        job.submittedAt(),
        job.spec().resources(),
        job.spec().place(),
        job.spec().exclusive(),
        0,
        Optional.empty(),
        job.spec().retries().onDemand().preemptions(),
        job.spec().retries().onDemand().urgentFrom(job.submittedAt()),
        Math.max(1, job.spec().gang()));
  }

  public static JobQueue of(String cluster, Instant at, Collection<Row> rows) {
    return new JobQueue(cluster, at, rows.stream().sorted(ORDER).toList());
  }

  /** The same, with the tasks of its rows counted then. */
  public JobQueue withCounted(Optional<Instant> then) {
    return new JobQueue(cluster, at, rows, then);
  }

  /** Whether there is no room for another job. */
  public boolean isFull() {
    return rows.stream().mapToLong(Row::bytes).sum() >= MOST;
  }

  public JobQueue with(Row row, Instant now) {
    var next = new ArrayList<>(without(row.job(), now).rows());
    next.add(row);
    return of(cluster, now, next).withCounted(counted);
  }

  public JobQueue without(String job, Instant now) {
    var left = rows.stream().filter(r -> !r.job().equals(job)).toList();
    return new JobQueue(cluster, now, left, counted);
  }

  @Override
  public DocumentKey.OfJobQueue key() {
    return new DocumentKey.OfJobQueue(cluster);
  }
}
