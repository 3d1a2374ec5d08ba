package dev.mayfly.local.cloud.tpu;

import com.google.cloud.tpu.v2.Node;
import dev.mayfly.local.cloud.vm.VmTrace;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A node, and beside it what only this cloud knows.
 *
 * @param network its own part of the loopback network, from 0: every host has an address
 * @param reservation whose chips it has; empty for one that is not reserved
 * @param bootAt when its hosts are switched on
 * @param traces its hosts by number, from when they are on; empty while they are off
 */
record TpuNode(
    Node node, int network, Optional<String> reservation, Instant bootAt, List<VmTrace> traces) {
  TpuNode {
    traces = List.copyOf(traces);
  }

  String name() {
    return node.getName();
  }

  String zone() {
    return zone(name());
  }

  Node.State state() {
    return node.getState();
  }

  TpuNode in(Node.State state) {
    return new TpuNode(
        node.toBuilder().setState(state).build(), network, reservation, bootAt, traces);
  }

  TpuNode with(List<VmTrace> now) {
    return new TpuNode(node, network, reservation, bootAt, now);
  }

  /** The zone in {@code projects/P/locations/Z/…}. */
  static String zone(String resource) {
    var steps = resource.split("/");
    return steps.length > 3 ? steps[3] : "";
  }

  /** The last step of a resource's name. */
  static String last(String resource) {
    return resource.substring(resource.lastIndexOf('/') + 1);
  }
}
