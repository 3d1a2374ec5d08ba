package dev.mayfly.core.plan.pace;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Slots for tasks, each free from some time on, and when they are done with so much work. */
final class FreeSlots {
  private final TreeMap<Double, Long> freeFrom = new TreeMap<>();

  void add(long slots, double from) {
    if (slots > 0) freeFrom.merge(from, slots, Long::sum);
  }

  /**
   * When all of it is done; empty without a slot.
   *
   * @param work seconds of one slot
   */
  Optional<Double> done(double work) {
    var left = work;
    var slots = 0L;
    var at = 0.0;
    for (Map.Entry<Double, Long> next : freeFrom.entrySet()) {
      var until = next.getKey();
      if (slots * (until - at) >= left && slots > 0) break;
      left -= slots * (until - at);
      slots += next.getValue();
      at = until;
    }
    return slots == 0 ? Optional.empty() : Optional.of(at + left / slots);
  }
}
