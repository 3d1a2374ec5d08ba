package dev.mayfly.gcp.tpu;

import com.google.api.gax.rpc.ApiException;
import com.google.rpc.Status;
import dev.mayfly.core.port.Fleet.Refusal;
import dev.mayfly.core.port.Fleet.Refusal.Kind;
import dev.mayfly.gcp.ApiError;
import io.grpc.Status.Code;
import java.util.Locale;
import java.util.Optional;

/**
 * An error of Cloud TPU. Stockout, quota and rate limit share one code, RESOURCE_EXHAUSTED; only
 * the message distinguishes them.
 */
record TpuApiError(Code code, String message) implements ApiError {
  static TpuApiError of(ApiException failure) {
    return new TpuApiError(
        Code.valueOf(failure.getStatusCode().getCode().name()),
        String.valueOf(failure.getMessage()));
  }

  static TpuApiError of(Status status) {
    return new TpuApiError(
        io.grpc.Status.fromCodeValue(status.getCode()).getCode(), status.getMessage());
  }

  /** As an answer; an unknown code may be transient. */
  Refusal refusal() {
    return new Refusal(kind(), code.name(), message);
  }

  @Override
  public Optional<Refusal> orderRefusal() {
    return Optional.of(refusal()).filter(refusal -> refusal.kind() != Kind.TRANSIENT);
  }

  @Override
  public String text() {
    return "Cloud TPU says " + code + ": " + message;
  }

  @Override
  public boolean isNotFound() {
    return code == Code.NOT_FOUND;
  }

  @Override
  public boolean isConflict() {
    return code == Code.ALREADY_EXISTS;
  }

  private Kind kind() {
    return switch (code) {
      case RESOURCE_EXHAUSTED -> exhausted(message.toLowerCase(Locale.ROOT));
      case INVALID_ARGUMENT, NOT_FOUND, FAILED_PRECONDITION, OUT_OF_RANGE, ALREADY_EXISTS ->
          Kind.INVALID;
      case PERMISSION_DENIED -> Kind.DENIED;
      case OK,
          CANCELLED,
          UNKNOWN,
          DEADLINE_EXCEEDED,
          // A retry may succeed.
          UNAUTHENTICATED,
          ABORTED,
          UNIMPLEMENTED,
          INTERNAL,
          UNAVAILABLE,
          DATA_LOSS ->
          message.toLowerCase(Locale.ROOT).contains("no more capacity")
              ? Kind.CAPACITY
              : Kind.TRANSIENT;
    };
  }

  private static Kind exhausted(String text) {
    if (text.contains("per minute") || text.contains("rate limit")) {
      return Kind.RATE;
    }
    return text.contains("quota") ? Kind.QUOTA : Kind.CAPACITY;
  }
}
