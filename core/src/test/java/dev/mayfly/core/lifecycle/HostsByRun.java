package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.worker.HostId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The hosts that performed one action in each run of each gang. */
final class HostsByRun {
  private final Map<String, Set<HostId>> hosts = new HashMap<>();

  void note(LeaseRef gang, long run, HostId host) {
    hosts.computeIfAbsent(gang + "#" + run, _ -> new HashSet<>()).add(host);
  }

  Set<HostId> of(LeaseRef gang, long run) {
    return hosts.getOrDefault(gang + "#" + run, Set.of());
  }
}
