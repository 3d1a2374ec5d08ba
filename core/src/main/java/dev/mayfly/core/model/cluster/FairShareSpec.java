package dev.mayfly.core.model.cluster;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How owners of jobs share a cluster.
 *
 * @param weights by owner, how many shares they have; owners that are not named have one
 * @param halfLife after which half of what an owner ran is forgotten; absent to count what runs now
 *     alone
 */
public record FairShareSpec(Map<String, Double> weights, Optional<Duration> halfLife) {
  /** One share for everybody, and no memory. */
  public static final FairShareSpec EQUAL = new FairShareSpec(Map.of(), Optional.empty());

  public FairShareSpec {
    weights = Map.copyOf(weights);
    if (weights.values().stream().anyMatch(weight -> !(weight > 0) || weight.isInfinite()))
      throw new IllegalArgumentException("a weight is not above zero: " + weights);
    if (halfLife.filter(span -> !span.isPositive()).isPresent())
      throw new IllegalArgumentException("a half-life is not above zero: " + halfLife);
  }

  public double weight(String owner) {
    return weights.getOrDefault(owner, 1.0);
  }
}
