package dev.mayfly.local.cloud.tpu;

import dev.mayfly.local.cloud.compute.Site;
import dev.mayfly.local.cloud.vm.Vm;
import dev.mayfly.local.cloud.vm.VmTrace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Switches the hosts of nodes on and off. Not for several threads at once. */
final class TpuPower {
  private final Site site;
  private final Map<String, Map<Integer, Vm>> hosts = new HashMap<>();
  private String cloudUrl = "";

  TpuPower(Site site) {
    this.site = site;
  }

  void begin(String url) {
    cloudUrl = url;
  }

  List<VmTrace> boot(TpuNode node) {
    var traces = new ArrayList<VmTrace>();
    var running = hosts.computeIfAbsent(node.name(), name -> new HashMap<>());
    for (var spec : TpuHosts.of(node, site.project())) {
      try {
        var vm = site.host().boot(spec, cloudUrl);
        running.put(traces.size(), vm);
        traces.add(vm.trace());
      } catch (IOException e) {
        throw new UncheckedIOException("Host " + traces.size() + " of " + node.name(), e);
      }
    }
    return traces;
  }

  /** Finds those that were switched on by an earlier process and still run. */
  void find(TpuNode node) {
    var running = hosts.computeIfAbsent(node.name(), name -> new HashMap<>());
    var specs = TpuHosts.of(node, site.project());
    for (int i = 0; i < node.traces().size(); i++) {
      try {
        var host = i;
        site.host().find(specs.get(i), node.traces().get(i)).ifPresent(vm -> running.put(host, vm));
      } catch (IOException e) {
        throw new UncheckedIOException("The metadata server of a TPU host cannot come back", e);
      }
    }
  }

  /** All of a node's hosts are off when this returns. */
  void cut(TpuNode node) {
    var running = hosts.remove(node.name());
    if (running != null) {
      running.values().forEach(Vm::cutPower);
    }
  }

  /** One host is off when this returns. */
  void cut(TpuNode node, int host) {
    var vm = Optional.ofNullable(hosts.get(node.name())).map(running -> running.remove(host));
    vm.orElseThrow(() -> TpuRules.notFound(node.name() + " host " + host)).cutPower();
  }

  /** Deletes the hosts' disks. */
  void erase(TpuNode node) {
    TpuHosts.of(node, site.project()).forEach(site.host()::erase);
  }

  void release() {
    hosts.values().forEach(running -> running.values().forEach(Vm::release));
  }
}
