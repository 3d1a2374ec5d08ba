package dev.mayfly.core.plan.lease;

import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.plan.share.FairShareRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Chooses the job for a worker among owners of one priority: the owner with the lowest level goes
 * first ({@link FairShareRule}); ties are broken at random.
 *
 * <p>Running tasks are those that the last pass counted, plus the changes since. An instance sees
 * only its own changes, so with n instances it multiplies them by n. Each instance thus closes its
 * part of the gap, and together they close it once.
 */
public final class FairShareSelector {
  /** More slots than any worker has. */
  private static final long MAX_TASKS = 1_000_000;

  private final List<JobQueue.Row> band;
  private final int instances;
  private final FairShareRule rule;
  private final Map<String, Double> running = new HashMap<>();

  /**
   * @param band rows of one priority, in the order of the queue
   * @param since by job, how many more tasks run than were counted, as far as this instance knows
   * @param instances how many instances grant leases
   */
  public FairShareSelector(
      List<JobQueue.Row> band, Map<String, Long> since, int instances, FairShareRule rule) {
    this.band = band;
    this.instances = instances;
    this.rule = rule;
    for (var row : band)
      running.merge(
          row.owner(),
          rule.part(row) * (row.running() + instances * since.getOrDefault(row.job(), 0L)),
          Double::sum);
  }

  /** The rows by priority, highest first, each in the order of the queue. */
  public static List<List<JobQueue.Row>> byPriority(List<JobQueue.Row> rows) {
    var bands = new LinkedHashMap<Integer, List<JobQueue.Row>>();
    rows.stream()
        .sorted(JobQueue.ORDER)
        .forEach(r -> bands.computeIfAbsent(r.priority(), _ -> new ArrayList<>()).add(r));
    return List.copyOf(bands.values());
  }

  /** Whether there are several owners to share between. */
  public static boolean hasSeveralOwners(List<JobQueue.Row> band) {
    return band.stream().map(JobQueue.Row::owner).distinct().limit(2).count() > 1;
  }

  /**
   * The oldest job of the owner that goes first.
   *
   * @param wanted which jobs the worker could take
   * @param nominee the job, by uid, that the worker serves before others of its owner
   * @param salt the seed of the tie-break, different at each call
   */
  public Optional<JobQueue.Row> next(
      Predicate<JobQueue.Row> wanted, Optional<String> nominee, String salt) {
    Map<String, JobQueue.Row> oldest = new LinkedHashMap<>();
    for (var row : band)
      if (wanted.test(row)) {
        if (nominee.filter(row.job()::equals).isPresent()) oldest.put(row.owner(), row);
        else oldest.putIfAbsent(row.owner(), row);
      }
    return oldest.values().stream()
        .min(Comparator.comparingDouble(this::level).thenComparing(r -> lot(salt, r.owner())));
  }

  private double level(JobQueue.Row row) {
    return rule.level(row.owner(), running.getOrDefault(row.owner(), 0.0));
  }

  /** Adds {@code tasks}, which may be negative, to the running tasks of the row's owner. */
  public void addRunning(JobQueue.Row row, long tasks) {
    // A task without resource needs fits any number of times.
    var bounded = Math.clamp(tasks, -MAX_TASKS, MAX_TASKS);
    running.merge(row.owner(), rule.part(row) * instances * bounded, Double::sum);
  }

  private static long lot(String salt, String owner) {
    var hash = 0L;
    for (var i = 0; i < salt.length(); i++) hash = 31 * hash + salt.charAt(i);
    hash = mixed(hash);
    for (var i = 0; i < owner.length(); i++) hash = 31 * hash + owner.charAt(i);
    return mixed(hash);
  }

  /** David Stafford's variant 13 of MurmurHash3's finalizer, as in {@code SplittableRandom}. */
  private static long mixed(long value) {
    var z = value + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
