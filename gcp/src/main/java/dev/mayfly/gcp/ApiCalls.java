package dev.mayfly.gcp;

import com.google.api.gax.rpc.ApiException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Calls of one API. A failed call is an exception of Mayfly's that begins with what was done.
 *
 * @param errors reads the API's failures
 */
public record ApiCalls(Function<ApiException, ? extends ApiError> errors) {
  public <T> T call(String what, Supplier<T> call) {
    try {
      return call.get();
    } catch (ApiException e) {
      throw errors.apply(e).exception(what, e);
    }
  }

  /** As {@link #call}; empty if the thing does not exist. */
  public <T> Optional<T> ifFound(String what, Supplier<T> call) {
    try {
      return Optional.of(call.get());
    } catch (ApiException e) {
      var error = errors.apply(e);
      if (error.isNotFound()) return Optional.empty();
      throw error.exception(what, e);
    }
  }
}
