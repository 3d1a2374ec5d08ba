package dev.mayfly.sim.experiment;

import dev.mayfly.sim.scenario.DurationModel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What some zones are like for the machines of some pools.
 *
 * @param pool the only pool that it is about; empty for all
 * @param zone the only zone that it is about; empty for all
 * @param stock how many machines there are, from when on; empty for any number
 * @param preemptedPerHour the part of the machines that is taken back within an hour, from 0 to 1
 * @param boot from the order until a machine runs
 */
public record ZoneConditions(
    Optional<String> pool,
    Optional<String> zone,
    List<Stock> stock,
    Optional<Double> preemptedPerHour,
    Optional<DurationModel> boot) {
  public ZoneConditions {
    stock = List.copyOf(stock);
  }

  /**
   * How many machines a zone has for a pool in all.
   *
   * @param at from when on, from the start
   */
  public record Stock(Duration at, int machines) {}

  boolean isAbout(String poolName, String zoneName) {
    return pool.filter(it -> !it.equals(poolName)).isEmpty()
        && zone.filter(it -> !it.equals(zoneName)).isEmpty();
  }
}
