package dev.mayfly.local.cloud.dials;

import dev.mayfly.local.cloud.http.Gate;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The faults and limits that a test or a person has set. They are in memory only: a restarted cloud
 * is a healthy one. Every method may be called from any thread.
 */
public final class Dials implements Gate {
  private final Map<String, Integer> stock = new HashMap<>();
  private OptionalInt cpuQuota = OptionalInt.empty();
  private Duration bootDelay;
  private int repliesToLose;
  private String repliesUnder = "/";
  private int callsToLimit;
  private Set<String> silentZones = Set.of();
  private int listsToCut;

  /**
   * @param bootDelay how long a machine takes from its insert until its boot command starts
   */
  public Dials(Duration bootDelay) {
    this.bootDelay = bootDelay;
  }

  /**
   * From now on zone {@code zone} has room for {@code machines} more machines; it never refills.
   */
  public synchronized void setStock(String zone, int machines) {
    stock.put(zone, machines);
  }

  /** From now on zone {@code zone} has room for any number of machines. */
  public synchronized void refill(String zone) {
    stock.remove(zone);
  }

  /** Takes room for one machine; false means out of stock. */
  public synchronized boolean takeStock(String zone) {
    var left = stock.get(zone);
    if (left == null) {
      return true;
    }
    stock.put(zone, Math.max(0, left - 1));
    return left > 0;
  }

  /** The zones with a limit, and how many machines each still has room for. */
  public synchronized Map<String, Integer> stock() {
    return Map.copyOf(stock);
  }

  /** The vCPUs that all machines of one region may have together; empty for no limit. */
  public synchronized OptionalInt cpuQuota() {
    return cpuQuota;
  }

  public synchronized void setCpuQuota(OptionalInt cpus) {
    cpuQuota = cpus;
  }

  public synchronized Duration bootDelay() {
    return bootDelay;
  }

  /** Holds for machines that are inserted from now on. */
  public synchronized void setBootDelay(Duration delay) {
    bootDelay = delay;
  }

  /** The next {@code calls} changing calls below {@code prefix} take effect without a reply. */
  public synchronized void loseReplies(int calls, String prefix) {
    repliesToLose = calls;
    repliesUnder = prefix;
  }

  /** The next {@code calls} calls of the Compute and TPU APIs are refused: not so fast. */
  public synchronized void limitRate(int calls) {
    callsToLimit = calls;
  }

  /** The next {@code lists} lists of all zones come back without {@code zones}, and say so. */
  public synchronized void silenceZones(int lists, Set<String> zones) {
    listsToCut = lists;
    silentZones = Set.copyOf(zones);
  }

  /** The zones that do not answer the list that is being made. */
  public synchronized Set<String> takeSilentZones() {
    if (listsToCut <= 0) {
      return Set.of();
    }
    listsToCut--;
    return silentZones;
  }

  @Override
  public synchronized Passage passage(String path, boolean mutating) {
    if (path.startsWith("/_sim/")) {
      return Passage.OPEN;
    }
    if (callsToLimit > 0
        && (path.startsWith("/compute/") || path.startsWith("/google.cloud.tpu."))) {
      callsToLimit--;
      return Passage.RATE_LIMITED;
    }
    if (repliesToLose > 0 && mutating && path.startsWith(repliesUnder)) {
      repliesToLose--;
      return Passage.REPLY_LOST;
    }
    return Passage.OPEN;
  }
}
