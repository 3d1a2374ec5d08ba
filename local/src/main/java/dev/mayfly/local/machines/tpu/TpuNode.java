package dev.mayfly.local.machines.tpu;

import com.google.cloud.tpu.v2.Node;
import dev.mayfly.local.machines.VmHandle;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A node, and beside it what only this cloud knows.
 *
 * @param network its own part of the loopback network, from 0: every host has an address
 * @param reservation whose chips it has; empty for one that is not reserved
 * @param bootAt when its hosts are switched on
 * @param handles its hosts by number, from when they are on; empty while they are off
 */
record TpuNode(
    Node node, int network, Optional<String> reservation, Instant bootAt, List<VmHandle> handles) {
  TpuNode {
    handles = List.copyOf(handles);
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

  TpuNode withState(Node.State state) {
    return new TpuNode(
        node.toBuilder().setState(state).build(), network, reservation, bootAt, handles);
  }

  TpuNode withHandles(List<VmHandle> now) {
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
