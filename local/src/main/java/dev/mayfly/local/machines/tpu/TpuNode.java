package dev.mayfly.local.machines.tpu;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.cloud.tpu.v2.Node;
import dev.mayfly.local.machines.VmHandle;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A node with this cloud's own state.
 *
 * @param network the node's subnet of the loopback network, from 0: every host has an address
 * @param reservation the reservation of its chips; empty if it is not reserved
 * @param bootAt when its hosts are powered on
 * @param handles its hosts' handles by number; empty while they are off
 */
record TpuNode(
    Node node,
    int network,
    Optional<String> reservation,
    Instant bootAt,
    @JsonProperty("traces") List<VmHandle> handles) {
  TpuNode {
    handles = List.copyOf(handles);
  }

  String name() {
    return node.getName();
  }

  /** The name of its file. */
  String id() {
    return Long.toUnsignedString(node.getId());
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

  /** The last part of a resource's name. */
  static String last(String resource) {
    return resource.substring(resource.lastIndexOf('/') + 1);
  }
}
