package dev.mayfly.gcp;

import com.google.api.gax.rpc.ApiException;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.Fleet.Refusal;
import java.util.Optional;

/** A failed call, as the API answers it. */
public interface ApiError {
  boolean isNotFound();

  /** Whether the name of what was to be created is taken. */
  boolean isConflict();

  /** As an answer to an order; empty if it is unknown whether the order was accepted. */
  Optional<Refusal> orderRefusal();

  /** What the API says, for people. */
  String text();

  /** As an exception, for calls other than orders. */
  default MayflyException exception(String what, ApiException cause) {
    var denied = orderRefusal().map(Refusal::kind).filter(Refusal.Kind.DENIED::equals).isPresent();
    return exception(what + ": " + text(), denied, cause);
  }

  /**
   * A failed call as an exception.
   *
   * @param denied whether the function's account lacks a right
   */
  static MayflyException exception(String text, boolean denied, ApiException cause) {
    return denied
        ? new MissingPermissionException(
            text
                + "; grant the function's account the role it lacks: apply the Terraform"
                + " configuration",
            cause)
        : new UnavailableException(text, cause);
  }
}
