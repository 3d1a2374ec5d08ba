package dev.mayfly.porttests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.port.Fleet.Order;
import dev.mayfly.core.port.Fleet.Ordered;
import dev.mayfly.core.port.Fleet.Progress;
import dev.mayfly.core.port.Fleet.Refusal;
import org.junit.jupiter.api.Test;

/**
 * The contract of a {@link dev.mayfly.core.port.Fleet} that refuses orders during a stockout;
 * others keep the order and wait.
 */
public abstract class StockoutContract extends FleetContract {
  /** Exhausts the zone's stock. */
  protected abstract void exhaustZone(String zone);

  @Test
  void stockoutIsRefusal() {
    exhaustZone(ZONE);
    var order = order("w-1", "w1");

    var ordered = fleet().order(order);
    settle();

    assertThat(finalKind(order, ordered)).isEqualTo(Refusal.Kind.CAPACITY);
    assertThat(fleet().find(order.name())).isEmpty();
  }

  /** The kind of a refusal, immediate or at the end of the operation. */
  private Refusal.Kind finalKind(Order order, Ordered ordered) {
    if (!(ordered instanceof Ordered.Accepted(var operation))) {
      return kind(ordered);
    }
    var progress = fleet().progress(order.name(), operation).orElseThrow();
    assertThat(progress).isInstanceOf(Progress.Failed.class);
    return ((Progress.Failed) progress).refusal().kind();
  }
}
