package dev.mayfly.sim.experiment;

import dev.mayfly.core.model.cluster.PoolSpec;
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
 * @param losses machines that it takes back at a time, whatever the part is
 */
public record ZoneConditions(
    Optional<String> pool,
    Optional<String> zone,
    List<Stock> stock,
    Optional<Double> preemptedPerHour,
    Optional<DurationModel> boot,
    List<Loss> losses) {
  public ZoneConditions {
    stock = List.copyOf(stock);
    losses = List.copyOf(losses);
  }

  /** Conditions under which no machine is taken back at a certain time. */
  public ZoneConditions(
      Optional<String> pool,
      Optional<String> zone,
      List<Stock> stock,
      Optional<Double> preemptedPerHour,
      Optional<DurationModel> boot) {
    this(pool, zone, stock, preemptedPerHour, boot, List.of());
  }

  /**
   * How many machines a zone has for a pool in all.
   *
   * @param at from when on, from the start
   */
  public record Stock(Duration at, int machines) {}

  /**
   * Machines of a pool in a zone end: the oldest first.
   *
   * @param at when, from the start
   * @param machines how many of those that run then
   * @param notice whether the cloud says so 30 seconds before
   */
  public record Loss(Duration at, int machines, boolean notice) {}

  boolean isAbout(String poolName, String zoneName) {
    return pool.filter(it -> !PoolSpec.isNamed(it, poolName)).isEmpty()
        && zone.filter(it -> !it.equals(zoneName)).isEmpty();
  }
}
