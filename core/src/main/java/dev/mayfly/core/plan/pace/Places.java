package dev.mayfly.core.plan.pace;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Places for tasks, each free from some time on, and when they are done with so much work. */
final class Places {
  private final TreeMap<Double, Long> freeFrom = new TreeMap<>();

  void add(long places, double from) {
    if (places > 0) freeFrom.merge(from, places, Long::sum);
  }

  /**
   * Empty without a place.
   *
   * @param work seconds of one place
   */
  Optional<Double> done(double work) {
    var left = work;
    var places = 0L;
    var at = 0.0;
    for (Map.Entry<Double, Long> next : freeFrom.entrySet()) {
      var until = next.getKey();
      if (places * (until - at) >= left && places > 0) break;
      left -= places * (until - at);
      places += next.getValue();
      at = until;
    }
    return places == 0 ? Optional.empty() : Optional.of(at + left / places);
  }
}
