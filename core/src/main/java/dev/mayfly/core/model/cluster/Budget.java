package dev.mayfly.core.model.cluster;

import java.util.Map;
import java.util.Optional;

/**
 * What all of a cluster's machines together may cost, in US dollars.
 *
 * @param usdPerHour empty for no limit by the hour
 * @param prices of one machine for an hour, by machine type; {@code TYPE.PROVISIONING}, for example
 *     {@code v4-8.on-demand}, overrides {@code TYPE}. A limit by the hour uses no others; elsewhere
 *     list prices stand in for those that are missing
 * @param usdPerMonth in a calendar month, in UTC; empty for no such limit
 */
public record Budget(
    Optional<Double> usdPerHour, Map<String, Double> prices, Optional<Double> usdPerMonth) {
  public Budget {
    prices = Map.copyOf(prices);
  }

  /** The limit by the hour, with its prices. */
  public Optional<HourlyBudget> hourly() {
    return usdPerHour.map(usd -> new HourlyBudget(usd, prices));
  }

  /** The price of such a machine; empty if not given. Static workers cost nothing. */
  public Optional<Double> price(String machineType, Provisioning how) {
    return new HourlyBudget(0, prices).price(machineType, how);
  }
}
