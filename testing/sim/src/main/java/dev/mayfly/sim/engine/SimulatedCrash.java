package dev.mayfly.sim.engine;

/**
 * The process dies during a call. An {@link Error}, so that production code does not survive by
 * catching it.
 */
public final class SimulatedCrash extends Error {
  private static final long serialVersionUID = 1;

  public SimulatedCrash(String where) {
    super(where, null, false, false);
  }
}
