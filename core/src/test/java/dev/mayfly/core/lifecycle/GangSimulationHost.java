package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.worker.HostId;
import dev.mayfly.core.model.worker.Incarnation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A simulated machine: its agent's memberships, and the processes that really run on it. */
final class GangSimulationHost {
  /** A command's process: its run, and when and how it ends. */
  record Process(LeaseRef lease, long run, long endsAt, int exit) {}

  final HostId id;
  final Map<LeaseRef, GangMembership> gangMemberships = new LinkedHashMap<>();
  final Map<LeaseRef, Long> busyUntil = new LinkedHashMap<>();
  final TreeMap<String, Process> processes = new TreeMap<>();
  boolean on = true;
  boolean frozen;
  long lastReport;
  int agent = 1;
  long seq;
  long admitted;

  GangSimulationHost(HostId id, long now) {
    this.id = id;
    lastReport = now;
  }

  Incarnation incarnation() {
    return new Incarnation("i-" + id, "boot", GangSamples.NOW.plusSeconds(agent));
  }

  GangMembership of(LeaseRef lease) {
    return gangMemberships.getOrDefault(lease, GangMembership.NEW);
  }

  Optional<Process> process(LeaseRef lease) {
    return Optional.ofNullable(processes.get(lease.toString()));
  }

  /** A new agent first kills every process of the previous one. */
  void restart() {
    processes.clear();
    gangMemberships.clear();
    busyUntil.clear();
    agent++;
  }

  void powerOff() {
    on = false;
    processes.clear();
  }
}
