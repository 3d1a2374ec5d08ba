package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.gang.GangRun;
import dev.mayfly.core.model.worker.HostId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The hosts of each gang: all or none, and never one host for two gangs. It is a value, so that of
 * two concurrent grants one conflicts and retries.
 */
public record HostClaims(Map<HostId, LeaseRef> taken) {
  public static final HostClaims NONE = new HostClaims(Map.of());

  public HostClaims {
    taken = Map.copyOf(taken);
  }

  /**
   * @param hosts by rank
   */
  public record Claimed(HostClaims claims, List<HostId> hosts) {
    public Claimed {
      hosts = List.copyOf(hosts);
    }
  }

  /**
   * Claims the first {@code size} free hosts; claims none and returns empty if there are fewer. A
   * gang that has its hosts already keeps them.
   */
  public Optional<Claimed> claim(LeaseRef gang, int size, List<HostId> hosts) {
    if (size < 1) throw new IllegalArgumentException(gang + " asks for " + size + " hosts");
    if (taken.containsValue(gang)) return Optional.empty();
    var free = hosts.stream().distinct().filter(h -> !taken.containsKey(h)).limit(size).toList();
    if (free.size() < size) return Optional.empty();
    var next = new LinkedHashMap<>(taken);
    free.forEach(h -> next.put(h, gang));
    return Optional.of(new Claimed(new HostClaims(next), free));
  }

  /**
   * Returns the hosts of a run. Throws {@link IllegalStateException} while the run may still exist
   * on a host: room is free only after a confirmed kill.
   */
  public HostClaims release(GangRun run) {
    if (!run.phase().ended())
      throw new IllegalStateException(
          "run %d of %s is in %s; its hosts are not free"
              .formatted(run.number(), run.lease(), run.phase()));
    var next = new LinkedHashMap<>(taken);
    next.values().removeIf(run.lease()::equals);
    return new HostClaims(next);
  }

  /** The hosts of a gang. */
  public List<HostId> of(LeaseRef gang) {
    var mine = new ArrayList<HostId>();
    taken.forEach((host, owner) -> {
      if (owner.equals(gang)) mine.add(host);
    });
    return mine;
  }
}
