package dev.mayfly.sim.fake;

/**
 * The process is gone in the middle of a call. An error, so that no code of ours lives on by
 * catching it.
 */
public final class Crash extends Error {
  private static final long serialVersionUID = 1;

  public Crash(String where) {
    super(where, null, false, false);
  }
}
