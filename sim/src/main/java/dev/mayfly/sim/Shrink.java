package dev.mayfly.sim;

import dev.mayfly.sim.check.Violation;
import java.util.List;

/** Makes a failure smaller: takes away each kind of fault that it does not need. */
final class Shrink {
  private Shrink() {}

  /** The same seed, failing by the same invariant, with as few kinds of faults as that takes. */
  static Run.Result of(Run.Result failure, PlantedBug bugs) {
    var smallest = failure;
    for (var fault : List.copyOf(failure.scenario().faults())) {
      var fewer = Run.of(smallest.scenario().without(fault), bugs);
      if (same(fewer, failure)) smallest = fewer;
    }
    return smallest;
  }

  private static boolean same(Run.Result a, Run.Result b) {
    return invariant(a).equals(invariant(b));
  }

  private static String invariant(Run.Result result) {
    return result.violation().map(Violation::invariant).orElse("");
  }

  /** What a failure says: the whole of it, and the smallest like it. */
  static String story(Run.Result failure, PlantedBug bugs) {
    var smallest = of(failure, bugs);
    return "%s%n%nWith fewer faults the same seed fails at step %d: %s%n"
        .formatted(failure.story(), smallest.steps(), smallest.scenario().faults());
  }
}
