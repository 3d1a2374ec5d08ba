package dev.mayfly.core.error;

/**
 * The caller may not do this, and a retry cannot help: a report for another machine, a login
 * without the right. For rights that Mayfly itself lacks see {@link MissingPermissionException}.
 */
public final class DeniedException extends MayflyException {
  private static final long serialVersionUID = 1;

  public DeniedException(String message) {
    super(message, null);
  }

  public DeniedException(String message, Throwable cause) {
    super(message, cause);
  }
}
