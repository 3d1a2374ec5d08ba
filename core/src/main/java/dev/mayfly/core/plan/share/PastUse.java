package dev.mayfly.core.plan.share;

import dev.mayfly.core.model.document.JobQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What owners ran lately: an average of the machines that their tasks took, in which a time counts
 * half as much as one that is a half-life later. It is known for every moment from the last time
 * that it was counted, so late counts and repeated ones change nothing.
 */
final class PastUse {
  /** The most owners that are remembered: those who ran most. */
  static final int MOST = 200;

  /** Less is forgotten: a thousandth of a machine. */
  private static final double LEAST = 0.001;

  private PastUse() {}

  /** The average at a moment, in machines. */
  static double at(JobQueue.OwnerUse use, Duration halfLife, Instant now) {
    var past = Math.max(0, Duration.between(use.at(), now).toMillis());
    // The same on every machine, for simulations.
    var kept = StrictMath.pow(0.5, past / (double) halfLife.toMillis());
    return use.average() * kept + use.running() * (1 - kept);
  }

  /** By owner, the average at a moment; none without a half-life. */
  static Map<String, Double> at(
      List<JobQueue.OwnerUse> uses, Optional<Duration> halfLife, Instant now) {
    var averages = new HashMap<String, Double>();
    if (halfLife.isPresent())
      for (var use : uses) averages.put(use.owner(), at(use, halfLife.get(), now));
    return averages;
  }

  /**
   * The same after a count.
   *
   * @param running by owner, in machines
   */
  static List<JobQueue.OwnerUse> counted(
      List<JobQueue.OwnerUse> before, Map<String, Double> running, Duration halfLife, Instant now) {
    var averages = new HashMap<>(at(before, Optional.of(halfLife), now));
    running.keySet().forEach(owner -> averages.putIfAbsent(owner, 0.0));
    var all = new ArrayList<JobQueue.OwnerUse>();
    averages.forEach((owner, average) -> {
      var runs = running.getOrDefault(owner, 0.0);
      if (runs > 0 || average >= LEAST) all.add(new JobQueue.OwnerUse(owner, average, runs, now));
    });
    return all.stream()
        .sorted(
            Comparator.comparingDouble((JobQueue.OwnerUse it) -> -it.average() - it.running())
                .thenComparing(JobQueue.OwnerUse::owner))
        .limit(MOST)
        .sorted(Comparator.comparing(JobQueue.OwnerUse::owner))
        .toList();
  }
}
