package dev.mayfly.core.error;

import org.jspecify.annotations.Nullable;

/**
 * The caller is not at fault, and a retry helps once the cause is over: a service did not answer or
 * is unavailable; Mayfly's own account lacks a permission ({@link MissingPermissionException}); a
 * document cannot be read ({@link UnreadableDocumentException}). <b>The operation may have happened
 * nevertheless</b>; the caller reads again or repeats what is safe to repeat.
 */
public sealed class UnavailableException extends MayflyException
    permits MissingPermissionException, UnreadableDocumentException {
  private static final long serialVersionUID = 1;

  public UnavailableException(String message) {
    super(message, null);
  }

  public UnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
