package dev.mayfly.sim;

import dev.mayfly.sim.fake.Crash;
import dev.mayfly.sim.fake.Scope;
import java.util.OptionalLong;

/**
 * Counts the port calls of all instances, and kills the one that makes the chosen call just after
 * it.
 */
final class Effects {
  private final OptionalLong crashAfter;
  private long count;

  Effects(OptionalLong crashAfter) {
    this.crashAfter = crashAfter;
  }

  long count() {
    return count;
  }

  void happened(String call, Scope scope) {
    count++;
    if (crashAfter.isPresent() && crashAfter.getAsLong() == count)
      throw new Crash(scope + " after " + call + ", call " + count);
  }
}
