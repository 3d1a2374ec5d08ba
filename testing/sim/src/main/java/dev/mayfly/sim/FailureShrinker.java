package dev.mayfly.sim;

import dev.mayfly.sim.observation.InvariantViolation;
import dev.mayfly.sim.world.Mutant;
import java.util.List;

/** Shrinks a failure: removes each kind of fault that it does not need. */
final class FailureShrinker {
  private FailureShrinker() {}

  /** The same seed with the fewest kinds of faults that still violate the same invariant. */
  static SimulationRun.Result shrink(SimulationRun.Result failure, Mutant bugs) {
    var smallest = failure;
    for (var fault : List.copyOf(failure.scenario().faults())) {
      var fewer = SimulationRun.of(smallest.scenario().without(fault), bugs);
      if (same(fewer, failure)) smallest = fewer;
    }
    return smallest;
  }

  private static boolean same(SimulationRun.Result a, SimulationRun.Result b) {
    return invariant(a).equals(invariant(b));
  }

  private static String invariant(SimulationRun.Result result) {
    return result.violation().map(InvariantViolation::invariant).orElse("");
  }

  /** The report of a failure: the original and its smallest equivalent. */
  static String report(SimulationRun.Result failure, Mutant bugs) {
    var smallest = shrink(failure, bugs);
    return "%s%n%nWith fewer faults the same seed fails at step %d: %s%n"
        .formatted(failure.story(), smallest.steps(), smallest.scenario().faults());
  }
}
