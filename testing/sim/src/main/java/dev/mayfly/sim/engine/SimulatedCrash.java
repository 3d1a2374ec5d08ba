package dev.mayfly.sim.engine;

/**
 * The process is gone in the middle of a call. An error, so that no code of ours lives on by
 * catching it.
 */
public final class SimulatedCrash extends Error {
  private static final long serialVersionUID = 1;

  public SimulatedCrash(String where) {
    super(where, null, false, false);
  }
}
