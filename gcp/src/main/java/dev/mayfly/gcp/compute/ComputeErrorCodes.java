package dev.mayfly.gcp.compute;

import com.google.cloud.compute.v1.Errors;
import com.google.cloud.compute.v1.Operation;
import dev.mayfly.core.port.Fleet.Refusal;
import dev.mayfly.core.port.Fleet.Refusal.Kind;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Classifies Compute Engine's error codes by remedy. */
final class ComputeErrorCodes {
  private static final System.Logger LOG = System.getLogger(ComputeErrorCodes.class.getName());

  private static final Map<String, Kind> KINDS =
      Map.ofEntries(
          Map.entry("INSUFFICIENTCAPACITY", Kind.CAPACITY),
          Map.entry("GPU_STOCKOUT", Kind.CAPACITY),
          Map.entry("QUOTAEXCEEDED", Kind.QUOTA),
          Map.entry("QUOTA_EXCEEDED", Kind.QUOTA),
          Map.entry("RATELIMITEXCEEDED", Kind.RATE),
          Map.entry("USERRATELIMITEXCEEDED", Kind.RATE),
          Map.entry("OPERATION_RATE_EXCEEDED", Kind.RATE),
          Map.entry("STOCKOUT", Kind.CAPACITY),
          Map.entry("RESOURCE_AVAILABILITY", Kind.CAPACITY),
          Map.entry("LIMITEXCEEDED", Kind.QUOTA),
          // A dependency is being created: retry, but not at once.
          Map.entry("RESOURCENOTREADY", Kind.RATE),
          Map.entry("RESOURCE_NOT_READY", Kind.RATE),
          Map.entry("INVALID", Kind.INVALID),
          Map.entry("INVALID_FIELD_VALUE", Kind.INVALID),
          Map.entry("INVALID_USAGE", Kind.INVALID),
          Map.entry("NOTFOUND", Kind.INVALID),
          Map.entry("RESOURCE_NOT_FOUND", Kind.INVALID),
          Map.entry("UNSUPPORTED_OPERATION", Kind.TRANSIENT),
          Map.entry("FORBIDDEN", Kind.DENIED),
          Map.entry("PERMISSIONS_ERROR", Kind.DENIED),
          Map.entry("ACCESSNOTCONFIGURED", Kind.DENIED),
          Map.entry("SERVICE_ACCOUNT_ACCESS_DENIED", Kind.DENIED));

  /** Unknown codes that ended an order, with their counts. */
  private static final Map<String, LongAdder> UNKNOWN = new ConcurrentHashMap<>();

  /** A limit, because a broken service may return anything. */
  private static final int MOST_UNKNOWN = 100;

  private ComputeErrorCodes() {}

  /** The error of an ended operation; empty if it succeeded. */
  static Optional<Refusal> of(Operation operation) {
    var errors = operation.getError().getErrorsList();
    if (!errors.isEmpty()) {
      return Optional.of(of(errors.getFirst()));
    }
    var status = operation.getHttpErrorStatusCode();
    return status < 400
        ? Optional.empty()
        : Optional.of(
            new Refusal(Kind.TRANSIENT, "HTTP " + status, operation.getHttpErrorMessage()));
  }

  /** The kind of a code or reason; an unknown code may be transient. */
  static Kind kind(String code) {
    var word = code.toUpperCase(Locale.ROOT);
    // ZONE_, REGION_, …_WITH_DETAILS: there are many variants, and new ones appear.
    return word.contains("RESOURCE_POOL_EXHAUSTED")
        ? Kind.CAPACITY
        : KINDS.getOrDefault(word, Kind.TRANSIENT);
  }

  /** How often orders ended with an unknown code, by code. */
  static Map<String, Long> unknown() {
    var counts = new TreeMap<String, Long>();
    UNKNOWN.forEach((word, count) -> counts.put(word, count.sum()));
    return counts;
  }

  private static void count(String code) {
    if (KINDS.containsKey(code.toUpperCase(Locale.ROOT))) return;
    if (kind(code) != Kind.TRANSIENT) return;
    if (UNKNOWN.size() >= MOST_UNKNOWN && !UNKNOWN.containsKey(code)) return;
    UNKNOWN.computeIfAbsent(code, word -> new LongAdder()).increment();
    LOG.log(
        System.Logger.Level.WARNING,
        "Compute Engine ended an order with the unknown code {0}"
            + " (it will be retried); unknown codes so far: {1}",
        code,
        unknown());
  }

  private static Refusal of(Errors error) {
    count(error.getCode());
    return new Refusal(kind(error.getCode()), error.getCode(), error.getMessage());
  }
}
