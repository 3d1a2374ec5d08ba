package dev.mayfly.core.error;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Mayfly's own account may not do this: a grant mends it, or time, where a grant has not spread
 * yet. It is never the caller's fault, and so an event comes again and a call is answered with 503.
 * What the caller may not do is {@link DeniedException}.
 *
 * <p>The message names the role to grant.
 */
public final class MissingPermissionException extends UnavailableException {
  private static final long serialVersionUID = 1;

  private final @Nullable String place;

  /** For a service of the deployment itself. */
  public MissingPermissionException(String message, Throwable cause) {
    super(message, cause);
    place = null;
  }

  /** The same, where nothing was thrown that would tell more. */
  public MissingPermissionException(String message) {
    super(message);
    place = null;
  }

  private MissingPermissionException(String place, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.place = place;
  }

  /**
   * For a bucket or an object, which a user may have named.
   *
   * @param place its URL
   */
  public static MissingPermissionException at(String place, String message, Throwable cause) {
    return new MissingPermissionException(place, message, cause);
  }

  /** The same, where nothing was thrown that would tell more. */
  public static MissingPermissionException at(String place, String message) {
    return new MissingPermissionException(place, message, null);
  }

  /** The bucket or the object; empty for a service of the deployment itself. */
  public Optional<String> place() {
    return Optional.ofNullable(place);
  }
}
