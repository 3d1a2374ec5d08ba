package dev.mayfly.core.error;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Mayfly's own account lacks a permission: a grant fixes it, or time, if a grant has not taken
 * effect yet. It is never the caller's fault, so an event is delivered again and a call is answered
 * with 503. For rights that the caller lacks see {@link DeniedException}.
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

  /** For a service of the deployment itself, without a cause. */
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

  /** For a bucket or an object, without a cause. */
  public static MissingPermissionException at(String place, String message) {
    return new MissingPermissionException(place, message, null);
  }

  /** The bucket or the object; empty for a service of the deployment itself. */
  public Optional<String> place() {
    return Optional.ofNullable(place);
  }
}
