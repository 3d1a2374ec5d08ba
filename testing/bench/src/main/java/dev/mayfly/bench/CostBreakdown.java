package dev.mayfly.bench;

import dev.mayfly.sim.fake.UsageCounter;
import java.time.Duration;

/**
 * The cost of counted operations at list price, in dollars. An instance is billed while it has at
 * least one open call. Functions have 1 vCPU and 1 GiB, {@code vm-events} half the memory.
 *
 * @param ledger documents read, written and deleted
 * @param functions instance time and requests
 * @param messages published and delivered
 * @param objects operations on task lists, outputs and sentinels, without storage
 * @param syncLogs an entry for each sync, which Terraform excludes
 */
record CostBreakdown(
    double ledger, double functions, double messages, double objects, double syncLogs) {
  static CostBreakdown of(UsageCounter.Reading counts) {
    var reads = counts.of(UsageCounter.Kind.READ) + counts.of(UsageCounter.Kind.LISTENED);
    var delivered = counts.of(UsageCounter.Kind.DELIVERED);
    return new CostBreakdown(
        reads * ListPrices.READ
            + counts.of(UsageCounter.Kind.WRITE) * ListPrices.WRITE
            + counts.of(UsageCounter.Kind.DELETE) * ListPrices.DELETE,
        seconds(counts) * ListPrices.VCPU_SECOND
            + gibSeconds(counts) * ListPrices.GIB_SECOND
            + (counts.of(UsageCounter.Kind.SYNCED) + delivered) * ListPrices.REQUEST,
        (counts.of(UsageCounter.Kind.PUBLISHED) + delivered) * ListPrices.MESSAGE_KB,
        counts.of(UsageCounter.Kind.OBJECT_CLASS_A) * ListPrices.OBJECT_CLASS_A
            + counts.of(UsageCounter.Kind.OBJECT_CLASS_B) * ListPrices.OBJECT_CLASS_B,
        counts.of(UsageCounter.Kind.SYNCED)
            * ListPrices.REQUEST_LOG_BYTES
            / (1L << 30)
            * ListPrices.LOGS_GIB);
  }

  /** Billed instance seconds, each with 1 vCPU. */
  static double seconds(UsageCounter.Reading counts) {
    return seconds(counts.busy())
        + counts.events().values().stream().mapToDouble(CostBreakdown::seconds).sum();
  }

  /** Billed GiB-seconds. */
  static double gibSeconds(UsageCounter.Reading counts) {
    var sum = seconds(counts.busy());
    for (var it : counts.events().entrySet())
      sum += seconds(it.getValue()) * (it.getKey().equals("vm-events") ? 0.5 : 1);
    return sum;
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1e3;
  }

  /** The cost of the control plane: everything but the tasks' own objects. */
  double control() {
    return ledger + functions + messages;
  }
}
