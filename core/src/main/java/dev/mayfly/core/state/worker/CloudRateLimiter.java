package dev.mayfly.core.state.worker;

import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.port.CloudMachine;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Respects the cloud's call rate. An exhausted quota is renewed at the next full minute, for all
 * callers in the region at once; so each order waits for that moment plus its own part of ten
 * seconds.
 *
 * <p>Each process remembers for itself; another learns it from its own first refusal. Nothing is
 * stored, because no machine's state changes.
 */
public final class CloudRateLimiter {
  /** The longest wait of an order after the full minute. */
  static final Duration SPREAD = Duration.ofSeconds(10);

  /**
   * Most deletions of one process per minute: a region allows 1,500 mutating calls per minute, and
   * orders need some of them.
   */
  static final int DELETIONS = 1_400;

  private final Map<Group, Instant> exhaustedUntil = new HashMap<>();
  private final Map<Group, Deletions> deletions = new HashMap<>();

  private record Deletions(Instant minute, int requested) {}

  /** Calls that share one quota. */
  private record Group(CloudMachine.Kind kind, String region) {}

  /**
   * Records that the quota is exhausted. Returns when all orders may be repeated; empty if that was
   * known.
   */
  public synchronized Optional<Instant> exhausted(CloudMachine.Name name, Instant now) {
    var edge = now.truncatedTo(ChronoUnit.MINUTES).plus(Duration.ofMinutes(1));
    var before = exhaustedUntil.put(group(name), edge);
    return edge.equals(before) ? Optional.empty() : Optional.of(edge.plus(SPREAD));
  }

  /** Whether the machine may be ordered now. */
  public synchronized boolean allows(CloudMachine.Name name, Instant now) {
    var edge = exhaustedUntil.get(group(name));
    if (edge == null) return true;
    if (!now.isBefore(edge.plus(SPREAD))) exhaustedUntil.remove(group(name));
    return !now.isBefore(edge.plus(offset(name)));
  }

  /** Whether the machine's deletion may be requested now; if so, counts it. */
  public synchronized boolean mayDelete(CloudMachine.Name name, Instant now) {
    if (!allows(name, now)) return false;
    var minute = now.truncatedTo(ChronoUnit.MINUTES);
    var before = deletions.get(group(name));
    var requested = before != null && before.minute.equals(minute) ? before.requested : 0;
    if (requested >= DELETIONS) return false;
    deletions.put(group(name), new Deletions(minute, requested + 1));
    return true;
  }

  private static Group group(CloudMachine.Name name) {
    return new Group(name.kind(), StorageLocation.region(name.zone()));
  }

  /** Between zero and ten seconds, always the same for a machine. */
  private static Duration offset(CloudMachine.Name name) {
    return Duration.ofMillis(Math.floorMod(name.name().hashCode(), SPREAD.toMillis()));
  }
}
