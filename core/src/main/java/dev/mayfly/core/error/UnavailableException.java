package dev.mayfly.core.error;

import org.jspecify.annotations.Nullable;

/**
 * The caller has done nothing wrong, and trying again helps once the cause is over: a service did
 * not answer, or said that it can't now; Mayfly's own account lacks a permission ({@link
 * MissingPermissionException}); a document cannot be read ({@link UnreadableDocumentException}).
 * <b>What was asked may have happened all the same</b>; the caller looks again or repeats what is
 * safe to repeat.
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
