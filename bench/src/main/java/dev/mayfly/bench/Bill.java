package dev.mayfly.bench;

import dev.mayfly.sim.fake.Tally;
import java.time.Duration;

/**
 * What counted operations cost at list price, in dollars. An instance is paid for while it has at
 * least one call open. Functions have 1 vCPU and 1 GiB, {@code vm-events} half the memory.
 *
 * @param ledger documents read, written and deleted
 * @param functions instance time and requests
 * @param messages published and delivered
 * @param objects operations on task lists, outputs, sentinels; not what is stored
 */
record Bill(double ledger, double functions, double messages, double objects) {
  static Bill of(Tally.Reading counts) {
    var reads = counts.of(Tally.Kind.READ) + counts.of(Tally.Kind.LISTENED);
    var delivered = counts.of(Tally.Kind.DELIVERED);
    return new Bill(
        reads * Prices.READ
            + counts.of(Tally.Kind.WRITE) * Prices.WRITE
            + counts.of(Tally.Kind.DELETE) * Prices.DELETE,
        seconds(counts) * Prices.VCPU_SECOND
            + gibSeconds(counts) * Prices.GIB_SECOND
            + (counts.of(Tally.Kind.SYNCED) + delivered) * Prices.REQUEST,
        (counts.of(Tally.Kind.PUBLISHED) + delivered) * Prices.MESSAGE_KB,
        counts.of(Tally.Kind.OBJECT_CLASS_A) * Prices.OBJECT_CLASS_A
            + counts.of(Tally.Kind.OBJECT_CLASS_B) * Prices.OBJECT_CLASS_B);
  }

  /** For how long instances were paid for, each with 1 vCPU. */
  static double seconds(Tally.Reading counts) {
    return seconds(counts.busy())
        + counts.events().values().stream().mapToDouble(Bill::seconds).sum();
  }

  /** The same by memory. */
  static double gibSeconds(Tally.Reading counts) {
    var sum = seconds(counts.busy());
    for (var it : counts.events().entrySet())
      sum += seconds(it.getValue()) * (it.getKey().equals("vm-events") ? 0.5 : 1);
    return sum;
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1e3;
  }

  /** What the control plane costs: all but the tasks' own objects. */
  double control() {
    return ledger + functions + messages;
  }
}
