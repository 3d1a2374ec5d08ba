package dev.mayfly.local.machines.tpu;

import com.google.cloud.tpu.v2.Node;
import dev.mayfly.local.http.ApiError;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * What befalls TPU nodes without their owner having asked for it. Each method takes a node's id, or
 * {@code *} for all, and throws {@link ApiError} (404) when there is no such node.
 */
public final class TpuFaultControls {
  private final TpuNodes nodes;

  public TpuFaultControls(TpuNodes nodes) {
    this.nodes = nodes;
  }

  /** The node's hosts are off and it says PREEMPTED, keeping name and quota until it is deleted. */
  public void preempt(String id) {
    each(id, nodes::preempt);
  }

  /** The node is preempted and gone from the API. */
  public void vanish(String id) {
    each(id, nodes::vanish);
  }

  /** The node's hosts are off, or one of them is, and the API goes on saying READY. */
  public void kill(String id, Optional<Integer> host) {
    each(id, name -> nodes.kill(name, host));
  }

  /** Chips of one generation that a zone's nodes may have together; empty for no limit. */
  public void setChipQuota(OptionalInt chips) {
    nodes.limits().setChips(chips);
  }

  /**
   * Chips of a reservation that nodes may have together; empty for no limit.
   *
   * @param name empty for what is reserved without a name
   */
  public void setReservation(String name, OptionalInt chips) {
    nodes.limits().setReservation(name, chips);
  }

  /** Whether there is a node of that id. */
  public boolean has(String id) {
    return !nodes.list(node -> TpuNode.last(node.name()).equals(id)).isEmpty();
  }

  /** Every node, as the API would tell. */
  public List<Node> nodes() {
    return nodes.list(node -> true);
  }

  /** Waits until all operations have ended; false when the time is over. */
  public boolean settle(long seconds) throws InterruptedException {
    return nodes.operations().settle(seconds);
  }

  private void each(String id, Consumer<String> act) {
    var found =
        nodes.list(node -> id.equals("*") || TpuNode.last(node.name()).equals(id)).stream()
            .map(Node::getName)
            .toList();
    if (found.isEmpty() && !id.equals("*")) {
      throw new ApiError(404, "notFound", "There is no TPU node '" + id + "'");
    }
    found.forEach(act);
  }
}
