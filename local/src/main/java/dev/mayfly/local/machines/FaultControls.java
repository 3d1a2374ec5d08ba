package dev.mayfly.local.machines;

import dev.mayfly.local.http.CallFaultInjector;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The faults and limits that a test or a person has set. They are in memory only: a restarted cloud
 * is a healthy one. Every method may be called from any thread.
 */
public final class FaultControls implements CallFaultInjector {
  /** Every region. */
  public static final String EVERYWHERE = "*";

  private final Map<String, Integer> stock = new HashMap<>();
  private final Map<String, Integer> quotas = new TreeMap<>();
  private boolean bareRefusals;
  private Duration bootDelay;
  private int repliesToLose;
  private String repliesUnder = "/";
  private int callsToLimit;
  private Set<String> silentZones = Set.of();
  private int listsToCut;
  private int stayingDisks;

  /**
   * @param bootDelay how long a machine takes from its insert until its boot command starts
   */
  public FaultControls(Duration bootDelay) {
    this.bootDelay = bootDelay;
  }

  /**
   * From now on zone {@code zone} has room for {@code machines} more machines; it never refills.
   */
  public synchronized void setStock(String zone, int machines) {
    stock.put(zone, machines);
  }

  /** From now on zone {@code zone} has room for any number of machines. */
  public synchronized void removeStockLimit(String zone) {
    stock.remove(zone);
  }

  /** The name of a zone's stock of one machine type, for the methods above. */
  public static String stockOf(String zone, String machineType) {
    return zone + "/" + machineType;
  }

  /** Takes room for one machine of the type; false means out of stock. */
  public synchronized boolean takeStock(String zone, String machineType) {
    var limits = Stream.of(zone, stockOf(zone, machineType)).filter(stock::containsKey).toList();
    if (limits.stream().anyMatch(limit -> stock.getOrDefault(limit, 0) <= 0)) {
      return false;
    }
    limits.forEach(limit -> stock.merge(limit, -1, Integer::sum));
    return true;
  }

  /** The zones with a limit, and how many machines each still has room for. */
  public synchronized Map<String, Integer> stock() {
    return Map.copyOf(stock);
  }

  /** The vCPUs that all machines of one region may have together; empty for no limit. */
  public synchronized OptionalInt cpuQuota() {
    return quota("cpus", EVERYWHERE);
  }

  public synchronized void setCpuQuota(OptionalInt cpus) {
    setQuota("cpus", EVERYWHERE, cpus);
  }

  /**
   * How much of something all machines of one region may have together.
   *
   * @param metric {@code cpus} or {@code gpus}
   * @param region {@link #EVERYWHERE} for those that have no limit of their own
   */
  public synchronized void setQuota(String metric, String region, OptionalInt limit) {
    var key = metric + "@" + region;
    limit.ifPresentOrElse(most -> quotas.put(key, most), () -> quotas.remove(key));
  }

  /** The limit of a region; empty for none. */
  public synchronized OptionalInt quota(String metric, String region) {
    var most = quotas.getOrDefault(metric + "@" + region, quotas.get(metric + "@" + EVERYWHERE));
    return most == null ? OptionalInt.empty() : OptionalInt.of(most);
  }

  public synchronized void clearQuotas() {
    quotas.clear();
  }

  /** The limits that there are, by metric@region. */
  public synchronized Map<String, Integer> quotas() {
    return Map.copyOf(quotas);
  }

  /** Whether refusals come without details and without an HTTP status, as some do. */
  public synchronized boolean bareErrors() {
    return bareRefusals;
  }

  public synchronized void setBareErrors(boolean bare) {
    bareRefusals = bare;
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

  /** The next {@code disks} disks that should go with their machines stay all the same. */
  public synchronized void keepDisks(int disks) {
    stayingDisks = disks;
  }

  /** Whether the disk that should go now stays. */
  public synchronized boolean takeStayingDisk() {
    if (stayingDisks <= 0) return false;
    stayingDisks--;
    return true;
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
  public synchronized Verdict verdict(String path, boolean mutating) {
    if (path.startsWith("/_sim/")) {
      return Verdict.OPEN;
    }
    if (callsToLimit > 0
        && (path.startsWith("/compute/") || path.startsWith("/google.cloud.tpu."))) {
      callsToLimit--;
      return Verdict.RATE_LIMITED;
    }
    if (repliesToLose > 0 && mutating && path.startsWith(repliesUnder)) {
      repliesToLose--;
      return Verdict.REPLY_LOST;
    }
    return Verdict.OPEN;
  }
}
