package dev.mayfly.core.error;

/**
 * Time can mend it: a service did not answer, or said that it can't now. <b>What was asked may have
 * happened all the same</b>; whoever asked looks again or repeats what is safe to repeat.
 */
public final class Unavailable extends MayflyException {
  private static final long serialVersionUID = 1;

  public Unavailable(String message) {
    super(message, null);
  }

  public Unavailable(String message, Throwable cause) {
    super(message, cause);
  }
}
