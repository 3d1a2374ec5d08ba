package dev.mayfly.core.plan.veto;

import dev.mayfly.core.model.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What ends a {@link Veto}: what a person changes, or what comes without them. Its words are in
 * {@link RemedyText}; that it helps, the simulation proves.
 */
public sealed interface Remedy {
  /** Nothing: it comes by itself. */
  record Nothing() implements Remedy {}

  /** Other work ends, or is stopped. */
  record WorkEnds() implements Remedy {}

  /** It is tried again then, and helps if the cloud has machines by that time. */
  record TriedAgain(Instant at) implements Remedy {}

  /** The pool may have so many workers at least. */
  record RaiseMaximum(String pool, int workers) implements Remedy {}

  /** So many more machines of people's own join the pool. */
  record JoinMachines(String pool, int machines) implements Remedy {}

  /** The cluster may cost so much an hour at least. */
  record RaiseBudget(double usdPerHour) implements Remedy {}

  /**
   * The cluster may cost so much a month at least.
   *
   * @param next when the next month begins
   */
  record RaiseMonth(double usdPerMonth, Instant next) implements Remedy {}

  /** A person mends a document that cannot be read, or takes the month's budget away. */
  record MendDocument() implements Remedy {}

  /** The cluster ends machines; those that no task needs end by themselves. */
  record EndMachines() implements Remedy {}

  /** The budget has a price for the type. */
  record GivePrice(String machineType) implements Remedy {}

  /**
   * The cloud allows more machines of the type in the region.
   *
   * @param next when Mayfly asks again
   */
  record AskForQuota(String region, String machineType, Optional<Instant> next) implements Remedy {}

  /**
   * The cloud accepts the pool's definition, or the account that orders it.
   *
   * @param next when Mayfly asks again
   */
  record MendPool(String pool, Optional<Instant> next) implements Remedy {}

  /**
   * Machines have what they lack.
   *
   * @param lacks by their own words
   * @param next when Mayfly tries the next one; empty if it tries some now
   */
  record MendMachines(String lacks, Optional<Instant> next) implements Remedy {}

  /**
   * The owner's jobs may run so many tasks at once at least.
   *
   * @param owner empty for jobs without one
   */
  record RaiseOwnerLimit(String owner, long tasks) implements Remedy {}

  /**
   * A worker or pool takes tasks again.
   *
   * @param until when it does so by itself
   */
  record Uncordon(String name, Instant until) implements Remedy {}

  /** The job names no workers. */
  record NameNoWorkers() implements Remedy {}

  /** A spot pool has machines on demand beside it. */
  record AddOnDemand() implements Remedy {}

  /** The job's command or environment works. */
  record MendCommand() implements Remedy {}

  /** The command works, or the inputs of the tasks that came first do: only their logs tell. */
  record ReadLogs() implements Remedy {}

  /** A task takes at most so many machines together. */
  record SmallerGang(int most) implements Remedy {}

  /** The job names one of these pools. */
  record NamePools(List<String> pools) implements Remedy {
    public NamePools {
      pools = List.copyOf(pools);
    }
  }

  /** The machines of a pool that the job may use have this storage. */
  record MountStorage(String storage) implements Remedy {}

  /** A pool has these labels. */
  record AddLabels(Map<String, String> labels) implements Remedy {
    public AddLabels {
      labels = Map.copyOf(labels);
    }
  }

  /** The cluster has a pool where the job may run, with machines of this size. */
  record AddPool(Resources need) implements Remedy {}
}
