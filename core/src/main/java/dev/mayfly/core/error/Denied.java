package dev.mayfly.core.error;

/** Whoever grants rights can mend it: the caller may not do this. */
public final class Denied extends MayflyException {
  private static final long serialVersionUID = 1;

  public Denied(String message) {
    super(message, null);
  }

  public Denied(String message, Throwable cause) {
    super(message, cause);
  }
}
