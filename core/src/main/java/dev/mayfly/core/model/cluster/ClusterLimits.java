package dev.mayfly.core.model.cluster;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What one owner, one launch, and one job, may take of a cluster.
 *
 * @param ownerConcurrency how many tasks of one owner's jobs may run at once; any number if empty
 * @param owners the same for these owners, instead
 * @param confirmTasks a job with more tasks must be confirmed
 * @param confirmUsdPerHour machines that may cost more an hour must be confirmed
 * @param maxRunTime how long each job may take from the start of its first task; absent for any
 *     time
 * @param fairShare how owners share what there is; absent if all have one share
 */
public record ClusterLimits(
    Optional<Long> ownerConcurrency,
    Map<String, Long> owners,
    Optional<Long> confirmTasks,
    Optional<Double> confirmUsdPerHour,
    Optional<Duration> maxRunTime,
    Optional<FairShareSpec> fairShare) {
  public static final ClusterLimits NONE =
      new ClusterLimits(
          Optional.empty(), Map.of(), Optional.empty(), Optional.empty(), Optional.empty());

  public ClusterLimits {
    owners = Map.copyOf(owners);
    fairShare = fairShare.filter(it -> !it.equals(FairShareSpec.EQUAL));
  }

  /** With equal shares. */
  public ClusterLimits(
      Optional<Long> ownerConcurrency,
      Map<String, Long> owners,
      Optional<Long> confirmTasks,
      Optional<Double> confirmUsdPerHour,
      Optional<Duration> maxRunTime) {
    this(ownerConcurrency, owners, confirmTasks, confirmUsdPerHour, maxRunTime, Optional.empty());
  }

  /** With another limit of the run time of jobs. */
  public ClusterLimits lasting(Optional<Duration> most) {
    return new ClusterLimits(
        ownerConcurrency, owners, confirmTasks, confirmUsdPerHour, most, fairShare);
  }

  /** With other shares. */
  public ClusterLimits sharing(FairShareSpec other) {
    return new ClusterLimits(
        ownerConcurrency, owners, confirmTasks, confirmUsdPerHour, maxRunTime, Optional.of(other));
  }

  /** How owners share. */
  public FairShareSpec shares() {
    return fairShare.orElse(FairShareSpec.EQUAL);
  }

  /** How many tasks the owner's jobs may run at once. */
  public Optional<Long> of(String owner) {
    return Optional.ofNullable(owners.get(owner)).or(() -> ownerConcurrency);
  }
}
