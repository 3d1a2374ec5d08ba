package dev.mayfly.core.model.cluster;

import java.util.Map;
import java.util.Optional;

/**
 * The hourly cost limit of all of a cluster's machines together.
 *
 * @param usdPerHour in US dollars
 * @param prices of one machine for an hour, by machine type; {@code TYPE.PROVISIONING}, for example
 *     {@code v4-8.on-demand}, overrides {@code TYPE}
 */
public record HourlyBudget(double usdPerHour, Map<String, Double> prices) {
  public HourlyBudget {
    prices = Map.copyOf(prices);
  }

  /** The price of such a machine; empty if not given. Static workers cost nothing. */
  public Optional<Double> price(String machineType, Provisioning how) {
    if (how == Provisioning.STATIC) return Optional.of(0.0);
    return Optional.ofNullable(prices.get(machineType + "." + how.word()))
        .or(() -> Optional.ofNullable(prices.get(machineType)));
  }

  /** The price assumed for a machine whose price is no longer given: the highest of all. */
  public double highest() {
    return prices.values().stream().mapToDouble(p -> p).max().orElse(0);
  }
}
