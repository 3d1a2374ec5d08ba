package dev.mayfly.sim.fault;

import dev.mayfly.sim.engine.SimProcess;
import dev.mayfly.sim.engine.SimulatedCrash;
import java.util.OptionalLong;

/** Counts the port calls of all instances, and kills an instance just after the chosen call. */
public final class CrashInjector {
  private final OptionalLong crashAfter;
  private long count;

  public CrashInjector(OptionalLong crashAfter) {
    this.crashAfter = crashAfter;
  }

  public long count() {
    return count;
  }

  public void happened(String call, SimProcess simProcess) {
    count++;
    if (crashAfter.isPresent() && crashAfter.getAsLong() == count)
      throw new SimulatedCrash(simProcess + " after " + call + ", call " + count);
  }
}
