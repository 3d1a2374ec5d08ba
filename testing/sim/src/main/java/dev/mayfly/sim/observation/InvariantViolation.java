package dev.mayfly.sim.observation;

/** An invariant was broken. An {@link Error}, so that production code does not swallow it. */
public final class InvariantViolation extends AssertionError {
  private static final long serialVersionUID = 1;

  private final String invariant;

  public InvariantViolation(String invariant, String message) {
    super(invariant + ": " + message);
    this.invariant = invariant;
  }

  public InvariantViolation(String invariant, Throwable cause) {
    super(invariant + ": " + cause, cause);
    this.invariant = invariant;
  }

  /** Its short name, for example {@code I1b}. */
  public String invariant() {
    return invariant;
  }
}
