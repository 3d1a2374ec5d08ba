package dev.mayfly.core.model.cluster;

import java.util.Map;
import java.util.Optional;

/**
 * What a cluster's machines may cost an hour, all together.
 *
 * @param usdPerHour in US dollars
 * @param prices of one machine for an hour, by machine type; {@code TYPE.PROVISIONING}, for example
 *     {@code v4-8.on-demand}, counts before {@code TYPE}
 */
public record HourlyBudget(double usdPerHour, Map<String, Double> prices) {
  public HourlyBudget {
    prices = Map.copyOf(prices);
  }

  /** What such a machine costs; empty if nobody said. One of its owner's costs nothing. */
  public Optional<Double> price(String machineType, Provisioning how) {
    if (how == Provisioning.STATIC) return Optional.of(0.0);
    return Optional.ofNullable(prices.get(machineType + "." + how.word()))
        .or(() -> Optional.ofNullable(prices.get(machineType)));
  }

  /** What counts for a machine whose price nobody says any more: the highest of all. */
  public double highest() {
    return prices.values().stream().mapToDouble(p -> p).max().orElse(0);
  }
}
