package dev.mayfly.bench;

import dev.mayfly.sim.fake.Tally;

/**
 * What counted operations cost at list price, in dollars.
 *
 * <p>{@code workers} has 1 vCPU and 1 GiB and is paid for while a call is open. What a message
 * starts is taken to run for half a second on 1 vCPU and 0.5 GiB: that is assumed, not measured. A
 * call that waits inside for a round is paid for meanwhile, on the 1 GiB of {@code autoscale}.
 *
 * @param ledger documents read, written and deleted
 * @param functions instance time and requests
 * @param messages published and delivered
 * @param objects operations on task lists, outputs, sentinels; not what is stored
 */
record Bill(double ledger, double functions, double messages, double objects) {
  static final double EVENT_SECONDS = 0.5;
  private static final double EVENT_GIB = 0.5;

  static Bill of(Tally.Reading counts) {
    var reads = counts.of(Tally.Kind.READ) + counts.of(Tally.Kind.LISTENED);
    var delivered = counts.of(Tally.Kind.DELIVERED);
    var busy = counts.busy().toMillis() / 1e3;
    var event = delivered * EVENT_SECONDS;
    var waited = counts.waited().toMillis() / 1e3;
    return new Bill(
        reads * Prices.READ
            + counts.of(Tally.Kind.WRITE) * Prices.WRITE
            + counts.of(Tally.Kind.DELETE) * Prices.DELETE,
        (busy + waited) * (Prices.VCPU_SECOND + Prices.GIB_SECOND)
            + event * (Prices.VCPU_SECOND + EVENT_GIB * Prices.GIB_SECOND)
            + (counts.of(Tally.Kind.SYNCED) + delivered) * Prices.REQUEST,
        (counts.of(Tally.Kind.PUBLISHED) + delivered) * Prices.MESSAGE_KB,
        counts.of(Tally.Kind.OBJECT_CLASS_A) * Prices.OBJECT_CLASS_A
            + counts.of(Tally.Kind.OBJECT_CLASS_B) * Prices.OBJECT_CLASS_B);
  }

  /** What the control plane costs: all but the tasks' own objects. */
  double control() {
    return ledger + functions + messages;
  }
}
