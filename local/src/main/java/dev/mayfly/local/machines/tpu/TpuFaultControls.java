package dev.mayfly.local.machines.tpu;

import com.google.cloud.tpu.v2.Node;
import dev.mayfly.local.http.ApiError;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Injects faults into TPU nodes. Each method takes a node's id, or {@code *} for all, and throws
 * {@link ApiError} (404) for an unknown node.
 */
public final class TpuFaultControls {
  private final TpuNodes nodes;

  public TpuFaultControls(TpuNodes nodes) {
    this.nodes = nodes;
  }

  /**
   * The node's hosts are off and it reports PREEMPTED; it keeps its name and quota until it is
   * deleted.
   *
   * @param notice how long its hosts know of it before; empty for no notice
   */
  public void preempt(String id, Optional<Duration> notice) {
    each(id, name -> nodes.preempt(name, notice.orElse(Duration.ZERO)));
  }

  /** The node is preempted and gone from the API. */
  public void vanish(String id) {
    each(id, nodes::vanish);
  }

  /** One or all of the node's hosts are off, and the API still reports READY. */
  public void kill(String id, Optional<Integer> host) {
    each(id, name -> nodes.kill(name, host));
  }

  /** Limits the chips of one generation for all nodes of a zone; empty for no limit. */
  public void setChipQuota(OptionalInt chips) {
    nodes.limits().setChips(chips);
  }

  /**
   * Makes a reservation of so many chips for all nodes; empty removes it.
   *
   * @param name empty for the unnamed reservation
   */
  public void setReservation(String name, OptionalInt chips) {
    nodes.limits().setReservation(name, chips);
  }

  /** Whether the node exists. */
  public boolean has(String id) {
    return !nodes.list(node -> TpuNode.last(node.name()).equals(id)).isEmpty();
  }

  /** Every node as the API shows it. */
  public List<Node> nodes() {
    return nodes.list(node -> true);
  }

  /** Waits until all operations have ended; false at the timeout. */
  public boolean settle(long seconds) throws InterruptedException {
    return nodes.operations().settle(seconds);
  }

  private void each(String id, Consumer<String> act) {
    var found =
        nodes.list(node -> id.equals("*") || TpuNode.last(node.name()).equals(id)).stream()
            .map(Node::getName)
            .toList();
    if (found.isEmpty() && !id.equals("*")) {
      throw ApiError.notFound("There is no TPU node '" + id + "'");
    }
    found.forEach(act);
  }
}
