package dev.mayfly.core.state.worker;

import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.port.CloudMachine;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps to the cloud's rate of calls. A quota of calls that is spent comes back at the next whole
 * minute, for everybody in the region at the same moment; so each order waits for that moment, and
 * then for a part of ten seconds that is its own.
 *
 * <p>One process remembers for itself; another learns it by its own first refusal. Nothing is
 * stored, for no machine's state is changed by it.
 */
public final class CloudRateLimiter {
  /** The longest that an order waits after the minute's edge. */
  static final Duration SPREAD = Duration.ofSeconds(10);

  /**
   * Deletions of one process in a minute: a region takes 1,500 calls a minute that change
   * something, and orders need some of them.
   */
  static final int DELETIONS = 1_400;

  private final Map<Group, Instant> full = new HashMap<>();
  private final Map<Group, Deletions> deletions = new HashMap<>();

  private record Deletions(Instant minute, int asked) {}

  /** Calls that are counted together. */
  private record Group(CloudMachine.Kind kind, String region) {}

  /**
   * The cloud said that there were too many calls. When all orders may be repeated; empty when that
   * was known.
   */
  public synchronized Optional<Instant> exhausted(CloudMachine.Name name, Instant now) {
    var edge = now.truncatedTo(ChronoUnit.MINUTES).plus(Duration.ofMinutes(1));
    var before = full.put(group(name), edge);
    return edge.equals(before) ? Optional.empty() : Optional.of(edge.plus(SPREAD));
  }

  /** Whether the machine may be ordered now. */
  public synchronized boolean allows(CloudMachine.Name name, Instant now) {
    var edge = full.get(group(name));
    if (edge == null) return true;
    if (!now.isBefore(edge.plus(SPREAD))) full.remove(group(name));
    return !now.isBefore(edge.plus(own(name)));
  }

  /** Whether the deletion of the machine may be asked for now; counts it if so. */
  public synchronized boolean mayDelete(CloudMachine.Name name, Instant now) {
    if (!allows(name, now)) return false;
    var minute = now.truncatedTo(ChronoUnit.MINUTES);
    var before = deletions.get(group(name));
    var asked = before != null && before.minute.equals(minute) ? before.asked : 0;
    if (asked >= DELETIONS) return false;
    deletions.put(group(name), new Deletions(minute, asked + 1));
    return true;
  }

  private static Group group(CloudMachine.Name name) {
    return new Group(name.kind(), ZoneAvailability.region(name.zone()));
  }

  /** From nothing to ten seconds, always the same for a machine. */
  private static Duration own(CloudMachine.Name name) {
    return Duration.ofMillis(Math.floorMod(name.name().hashCode(), SPREAD.toMillis()));
  }
}
