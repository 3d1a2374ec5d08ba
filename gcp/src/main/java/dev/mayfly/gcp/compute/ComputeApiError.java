package dev.mayfly.gcp.compute;

import com.google.api.client.http.HttpResponseException;
import com.google.api.gax.rpc.ApiException;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import dev.mayfly.core.port.Fleet.Refusal;
import dev.mayfly.core.port.Fleet.Refusal.Kind;
import dev.mayfly.gcp.ApiError;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A refused call. The client's exception only has the status; the reason, which distinguishes a
 * rate limit from a missing permission, is in the body.
 *
 * @param status the HTTP status; 0 if there was no answer
 * @param reason Google's reason code; empty if there is none
 */
record ComputeApiError(int status, String reason, String message) implements ApiError {
  static ComputeApiError of(ApiException failure) {
    if (!(failure.getCause() instanceof HttpResponseException answer)) {
      return new ComputeApiError(0, "", String.valueOf(failure.getMessage()));
    }
    var error = field(body(answer.getContent()), "error").getStructValue();
    var first =
        field(error, "errors").getListValue().getValuesList().stream()
            .map(Value::getStructValue)
            .findFirst()
            .orElse(Struct.getDefaultInstance());
    var message = field(error, "message").getStringValue();
    return new ComputeApiError(
        answer.getStatusCode(),
        field(first, "reason").getStringValue(),
        message.isEmpty() ? String.valueOf(failure.getMessage()) : message);
  }

  @Override
  public boolean isNotFound() {
    return status == 404;
  }

  @Override
  public boolean isConflict() {
    return status == 409;
  }

  @Override
  public Optional<Refusal> orderRefusal() {
    var known = ComputeErrorCodes.kind(reason);
    var kind =
        switch (status) {
          case 400, 404, 412 -> known == Kind.TRANSIENT ? Kind.INVALID : known;
          // A retry may succeed.
          case 401 -> Kind.TRANSIENT;
          case 403 -> known == Kind.TRANSIENT ? Kind.DENIED : known;
          case 429 -> Kind.RATE;
          default -> known;
        };
    return kind == Kind.TRANSIENT
        ? Optional.empty()
        : Optional.of(new Refusal(kind, reason.isEmpty() ? "HTTP " + status : reason, message));
  }

  @Override
  public String text() {
    return "Compute Engine says " + status + " " + reason + ": " + message;
  }

  /** The body as JSON; empty for a body that is not JSON, such as a proxy's. */
  private static Struct body(@Nullable String text) {
    var body = Struct.newBuilder();
    try {
      JsonFormat.parser().merge(text == null ? "{}" : text, body);
    } catch (InvalidProtocolBufferException noJson) {
      return Struct.getDefaultInstance();
    }
    return body.build();
  }

  private static Value field(Struct object, String name) {
    return object.getFieldsOrDefault(name, Value.getDefaultInstance());
  }
}
