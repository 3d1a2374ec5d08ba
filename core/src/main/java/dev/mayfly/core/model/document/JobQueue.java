package dev.mayfly.core.model.document;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.JobAddress;
import dev.mayfly.core.model.job.Placement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * {@code …/control/job-queue}: the order of jobs, best first.
 *
 * @param rows the jobs that may be granted leases, in order of priority, then age
 * @param counted when a pass last counted their running tasks; empty if none did yet
 * @param waiting uids of the jobs that wait for others, sorted; they have no row yet
 * @param uses what owners ran lately, by name; absent unless the cluster's file says that it counts
 *     ({@code fairShare.halfLife}), and in older documents
 */
public record JobQueue(
    String cluster,
    Instant at,
    List<Row> rows,
    Optional<Instant> counted,
    List<String> waiting,
    Optional<List<OwnerUse>> uses)
    implements LedgerDocument {
  /** The most jobs of a cluster that may wait for others: each tick reads all of them. */
  public static final int MOST_WAITING = 1_000;

  public JobQueue {
    rows = List.copyOf(rows);
    waiting = List.copyOf(waiting);
    uses = uses.filter(all -> !all.isEmpty()).map(List::copyOf);
  }

  /** Rows without counts, and no waiting jobs. */
  public JobQueue(String cluster, Instant at, List<Row> rows) {
    this(cluster, at, rows, Optional.empty(), List.of(), Optional.empty());
  }

  /**
   * What the tasks of an owner's jobs take, in machines: the largest part that each takes of any
   * resource.
   *
   * @param owner empty for jobs without one
   * @param average of what ran until {@code at}, in which the past counts less and less
   * @param running since then
   */
  public record OwnerUse(String owner, double average, double running, Instant at) {}

  /**
   * One job in the queue.
   *
   * @param place where it may run
   * @param running how many of its tasks ran when a pass counted them; 0 where only one owner has
   *     jobs of the priority, because nothing depends on it then
   * @param grants tasks that may still be leased until the next pass; unlimited when empty
   * @param preemptions after how many attempts a task no longer runs on spot machines; 0 means
   *     never
   * @param urgent from when on its tasks may use fallback machines
   * @param gang how many workers run each task together, all chosen by a pass; 1: any worker takes
   *     what it has room for
   * @param kept workers kept for this job, closed to others but those of a higher priority: it
   *     waits for all of them, or for all of their room
   * @param keptUntil when the tasks running there end at the latest, if known; tasks that end
   *     earlier may use the free room there
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

    /** What commands call the job. */
    public String address() {
      return JobAddress.of(Optional.of(owner).filter(text -> !text.isEmpty()), name);
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

    /** Its stored size in bytes, estimated rather too high than too low. */
    long bytes() {
      var words = new ArrayList<>(place.names());
      words.addAll(List.of(job, name, owner));
      words.addAll(kept);
      return ROW + words.stream().mapToLong(w -> w.getBytes(UTF_8).length + 4L).sum();
    }

    /**
     * Whether a worker kept for this row is closed to tasks of another: it stays open to those of a
     * higher priority, and to those that end in time.
     *
     * @param longest the longest run time of one task of the other row; empty if unknown
     */
    public boolean keepsFrom(Row other, Supplier<Optional<Duration>> longest, Instant now) {
      if (other.job.equals(job) || other.priority > priority) return false;
      return keptUntil
          .filter(now::isBefore)
          .flatMap(until -> longest.get().filter(most -> !now.plus(most).isAfter(until)))
          .isEmpty();
    }

    public boolean takes(Worker worker, Instant now) {
      if (worker.mayRun(place)) return true;
      return urgent.filter(from -> !now.isBefore(from)).isPresent() && worker.mayRunFallback(place);
    }

    public boolean takesSpent(Worker worker) {
      return preemptions > 0
          && worker.provisioning() != Provisioning.SPOT
          && worker.mayRunFallback(place);
    }
  }

  /** The stored size of a row without its texts: field names, numbers and times. */
  private static final int ROW = 420;

  /**
   * The largest total size of all rows: they are one document, which a store limits to a mebibyte,
   * and which each submission writes.
   */
  private static final long MAX_BYTES = 700_000;

  /** The order of the queue: priority, then age; the uid only makes it deterministic. */
  public static final Comparator<Row> ORDER =
      Comparator.comparingInt(Row::priority)
          .reversed()
          .thenComparing(Row::submittedAt)
          .thenComparing(Row::job);

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
        Math.max(1, job.spec().gang()),
        List.of(),
        Optional.empty());
  }

  public static JobQueue of(String cluster, Instant at, Collection<Row> rows) {
    return new JobQueue(cluster, at, rows.stream().sorted(ORDER).toList());
  }

  /** A copy whose running tasks were counted at {@code then}. */
  public JobQueue withCounted(Optional<Instant> then) {
    return new JobQueue(cluster, at, rows, then, waiting, uses);
  }

  /** A copy with these waiting jobs. */
  public JobQueue withWaiting(Collection<String> jobs) {
    return new JobQueue(
        cluster, at, rows, counted, jobs.stream().distinct().sorted().toList(), uses);
  }

  /** A copy with what owners ran lately. */
  public JobQueue withUses(Optional<List<OwnerUse>> counts) {
    return new JobQueue(cluster, at, rows, counted, waiting, counts);
  }

  /** What owners ran lately, as far as it is counted. */
  public List<OwnerUse> ownerUses() {
    return uses.orElse(List.of());
  }

  /** A copy in which the job waits for others. */
  public JobQueue plusWaiting(String job, Instant now) {
    return new JobQueue(cluster, now, rows, counted, waiting, uses)
        .withWaiting(Stream.concat(waiting.stream(), Stream.of(job)).toList());
  }

  public boolean isFull() {
    return rows.stream().mapToLong(Row::bytes).sum() >= MAX_BYTES;
  }

  /** Whether the job has a row or waits for others. */
  public boolean has(String job) {
    return waiting.contains(job) || rows.stream().anyMatch(r -> r.job().equals(job));
  }

  public JobQueue with(Row row, Instant now) {
    var next = new ArrayList<>(without(row.job(), now).rows());
    next.add(row);
    return of(cluster, now, next)
        .withCounted(counted)
        .withWaiting(others(row.job()))
        .withUses(uses);
  }

  public JobQueue without(String job, Instant now) {
    var left = rows.stream().filter(r -> !r.job().equals(job)).toList();
    return new JobQueue(cluster, now, left, counted, others(job), uses);
  }

  private List<String> others(String job) {
    return waiting.stream().filter(w -> !w.equals(job)).toList();
  }

  @Override
  public DocumentKey.OfJobQueue key() {
    return new DocumentKey.OfJobQueue(cluster);
  }
}
