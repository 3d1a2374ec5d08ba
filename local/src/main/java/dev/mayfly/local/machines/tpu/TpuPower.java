package dev.mayfly.local.machines.tpu;

import dev.mayfly.local.machines.CloudContext;
import dev.mayfly.local.machines.RunningVm;
import dev.mayfly.local.machines.VmHandle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Powers the hosts of nodes on and off. Not thread-safe. */
final class TpuPower {
  private final CloudContext cloudContext;
  private final Map<String, Map<Integer, RunningVm>> hosts = new HashMap<>();
  private String cloudUrl = "";

  TpuPower(CloudContext cloudContext) {
    this.cloudContext = cloudContext;
  }

  void begin(String url) {
    cloudUrl = url;
  }

  List<VmHandle> boot(TpuNode node) {
    var traces = new ArrayList<VmHandle>();
    var running = hosts.computeIfAbsent(node.name(), name -> new HashMap<>());
    for (var spec : TpuHostSpecs.of(node, cloudContext.project())) {
      try {
        var runningVm = cloudContext.hypervisor().boot(spec, cloudUrl);
        running.put(traces.size(), runningVm);
        traces.add(runningVm.handle());
      } catch (IOException e) {
        throw new UncheckedIOException("Host " + traces.size() + " of " + node.name(), e);
      }
    }
    return traces;
  }

  /** Finds the running hosts that an earlier process powered on. */
  void find(TpuNode node) {
    var running = hosts.computeIfAbsent(node.name(), name -> new HashMap<>());
    var specs = TpuHostSpecs.of(node, cloudContext.project());
    for (int i = 0; i < node.handles().size(); i++) {
      try {
        var host = i;
        cloudContext
            .hypervisor()
            .find(specs.get(i), node.handles().get(i))
            .ifPresent(runningVm -> running.put(host, runningVm));
      } catch (IOException e) {
        throw new UncheckedIOException("The metadata server of a TPU host cannot come back", e);
      }
    }
  }

  /** Powers all of a node's hosts off. */
  void cut(TpuNode node) {
    var running = hosts.remove(node.name());
    if (running != null) {
      running.values().forEach(RunningVm::cutPower);
    }
  }

  /** Gives each host its preemption notice; idempotent. */
  void announcePreemption(TpuNode node) {
    hosts.getOrDefault(node.name(), Map.of()).values().forEach(RunningVm::announcePreemption);
  }

  /** Powers one host off. */
  void cut(TpuNode node, int host) {
    var runningVm =
        Optional.ofNullable(hosts.get(node.name())).map(running -> running.remove(host));
    runningVm.orElseThrow(() -> TpuValidator.notFound(node.name() + " host " + host)).cutPower();
  }

  /** Deletes the hosts' disks. */
  void erase(TpuNode node) {
    TpuHostSpecs.of(node, cloudContext.project()).forEach(cloudContext.hypervisor()::erase);
  }

  void detach() {
    hosts.values().forEach(running -> running.values().forEach(RunningVm::detach));
  }
}
