package dev.mayfly.local.machines;

import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.CallFaultInjector;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The faults and limits that a test or a person has set. In memory only: a restarted cloud has
 * none. Thread-safe.
 */
public final class FaultControls implements CallFaultInjector {
  /** Stands for every region. */
  public static final String EVERYWHERE = "*";

  /** Compute Engine's quota of TPU chips, which it counts by generation and this cloud together. */
  public static final String TPUS = "tpus_per_tpu_family";

  private final Map<String, Integer> stock = new HashMap<>();
  private final Map<String, Integer> quotas = new TreeMap<>();
  private final Set<String> reservations = new TreeSet<>();
  private boolean bareRefusals;
  private Duration bootDelay;
  private int repliesToLose;
  private String repliesUnder = "/";
  private int callsToLimit;
  private Set<String> silentZones = Set.of();
  private int listsToCut;
  private int stayingDisks;

  /**
   * @param bootDelay the time from a machine's insert to the start of its boot command
   */
  public FaultControls(Duration bootDelay) {
    this.bootDelay = bootDelay;
  }

  /** Limits zone {@code zone} to {@code machines} more machines; the stock never refills. */
  public synchronized void setStock(String zone, int machines) {
    stock.put(zone, machines);
  }

  /** Removes the limit of zone {@code zone}. */
  public synchronized void removeStockLimit(String zone) {
    stock.remove(zone);
  }

  /** The name of a zone's stock of one machine type, for the methods above. */
  public static String stockOf(String zone, String machineType) {
    return zone + "/" + machineType;
  }

  /** Takes one machine of the type from the stock; false means out of stock. */
  public synchronized boolean takeStock(String zone, String machineType) {
    var limits = Stream.of(zone, stockOf(zone, machineType)).filter(stock::containsKey).toList();
    if (limits.stream().anyMatch(limit -> stock.getOrDefault(limit, 0) <= 0)) {
      return false;
    }
    limits.forEach(limit -> stock.merge(limit, -1, Integer::sum));
    return true;
  }

  /** The zones with a limit, each with its remaining machines. */
  public synchronized Map<String, Integer> stock() {
    return Map.copyOf(stock);
  }

  /** The limit of the vCPUs of all machines in one region; empty for no limit. */
  public synchronized OptionalInt cpuQuota() {
    return quota("cpus", EVERYWHERE);
  }

  public synchronized void setCpuQuota(OptionalInt cpus) {
    setQuota("cpus", EVERYWHERE, cpus);
  }

  /**
   * Sets a limit for all machines in one region.
   *
   * @param metric {@code cpus}, {@code gpus} or {@link #TPUS}
   * @param region {@link #EVERYWHERE} for regions without their own limit
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

  /**
   * Makes or removes a reservation of Compute Engine, with room for every machine that names it.
   */
  public synchronized void setReservation(String name, boolean exists) {
    if (exists) reservations.add(name);
    else reservations.remove(name);
  }

  public synchronized boolean hasReservation(String name) {
    return reservations.contains(name);
  }

  public synchronized void clearQuotas() {
    quotas.clear();
  }

  /** All limits, by metric@region. */
  public synchronized Map<String, Integer> quotas() {
    return Map.copyOf(quotas);
  }

  /** Whether refusals have no details and no HTTP status, like some real ones. */
  public synchronized boolean bareErrors() {
    return bareRefusals;
  }

  public synchronized void setBareErrors(boolean bare) {
    bareRefusals = bare;
  }

  public synchronized Duration bootDelay() {
    return bootDelay;
  }

  /** Applies to machines that are inserted later. */
  public synchronized void setBootDelay(Duration delay) {
    bootDelay = delay;
  }

  /** The next {@code calls} changing calls below {@code prefix} take effect without a reply. */
  public synchronized void loseReplies(int calls, String prefix) {
    repliesToLose = calls;
    repliesUnder = prefix;
  }

  /** The next {@code calls} calls of the Compute and TPU APIs are refused with a rate limit. */
  public synchronized void limitRate(int calls) {
    callsToLimit = calls;
  }

  /**
   * The next {@code lists} lists of all zones omit {@code zones} and report them as unreachable.
   */
  public synchronized void silenceZones(int lists, Set<String> zones) {
    listsToCut = lists;
    silentZones = Set.copyOf(zones);
  }

  /** The next {@code disks} disks that should be deleted with their machines are kept. */
  public synchronized void keepDisks(int disks) {
    stayingDisks = disks;
  }

  /** Whether to keep a disk that should be deleted now. */
  public synchronized boolean takeStayingDisk() {
    if (stayingDisks <= 0) return false;
    stayingDisks--;
    return true;
  }

  /** The zones that do not answer the current list. */
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
      return Verdict.refused(new ApiError(403, "rateLimitExceeded", "Rate Limit Exceeded"));
    }
    if (repliesToLose > 0 && mutating && path.startsWith(repliesUnder)) {
      repliesToLose--;
      return Verdict.REPLY_LOST;
    }
    return Verdict.OPEN;
  }
}
