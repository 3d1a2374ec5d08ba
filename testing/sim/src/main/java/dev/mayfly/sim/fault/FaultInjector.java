package dev.mayfly.sim.fault;

import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.engine.Trace;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Decides when a fault strikes. Each fault has its own randomness, so that one does not change
 * another.
 */
public final class FaultInjector {
  private final Trace trace;
  private final Map<Fault, SimRandom> simRandom = new EnumMap<>(Fault.class);
  private final Set<Fault> drawn;
  private long hindrances;

  public FaultInjector(SimRandom simRandom, Trace trace, Set<Fault> drawn) {
    this.trace = trace;
    this.drawn = drawn.isEmpty() ? EnumSet.noneOf(Fault.class) : EnumSet.copyOf(drawn);
    for (var fault : Fault.values()) this.simRandom.put(fault, simRandom.of("fault " + fault));
  }

  public static FaultInjector none(Trace trace) {
    return new FaultInjector(new SimRandom(0), trace, Set.of());
  }

  public boolean has(Fault fault) {
    return drawn.contains(fault);
  }

  /** Draws whether the fault strikes now, and records it if so. */
  public boolean strikes(Fault fault) {
    if (!drawn.contains(fault) || !dice(fault).chance(fault.likely())) return false;
    recordStrike(fault, "");
    return true;
  }

  /** Records a fault that is scheduled and not drawn. */
  public void recordStrike(Fault fault, String what) {
    if (fault.hindersSweeps()) hindrances++;
    trace.seen(fault.name());
    trace.add("fault " + fault + (what.isEmpty() ? "" : " " + what));
  }

  /** How many faults so far may have hindered cleanup. */
  public long hindrances() {
    return hindrances;
  }

  public SimRandom dice(Fault fault) {
    return Objects.requireNonNull(simRandom.get(fault), "every fault has its dice");
  }

  /** Ends all chance faults. */
  public void calmDown() {
    drawn.clear();
  }
}
