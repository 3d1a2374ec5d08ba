package dev.mayfly.gcp.compute;

import com.google.api.client.http.HttpResponseException;
import com.google.api.gax.rpc.ApiException;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.mayfly.core.error.Denied;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.port.Fleet.Refusal;
import dev.mayfly.core.port.Fleet.Refusal.Kind;
import java.util.Optional;

/**
 * What a call was refused with. The client's exception keeps only the status: the reason, without
 * which a rate limit is no other than a missing right, is in the body.
 *
 * @param status the HTTP status; 0 when there was no answer at all
 * @param reason Google's word; empty when there is none
 */
record HttpRefusal(int status, String reason, String message) {
  static HttpRefusal of(ApiException failure) {
    if (!(failure.getCause() instanceof HttpResponseException answer)) {
      return new HttpRefusal(0, "", String.valueOf(failure.getMessage()));
    }
    var error = error(answer.getContent());
    return new HttpRefusal(
        answer.getStatusCode(),
        error.flatMap(HttpRefusal::reason).orElse(""),
        error
            .map(object -> object.get("message"))
            .map(JsonElement::getAsString)
            .orElse(String.valueOf(failure.getMessage())));
  }

  boolean isNotFound() {
    return status == 404;
  }

  boolean isConflict() {
    return status == 409;
  }

  /** As an answer to an order; empty when nobody knows whether the order was taken. */
  Optional<Refusal> refusal() {
    var known = Refusals.kind(reason);
    var kind =
        switch (status) {
          case 400, 404, 412 -> known == Kind.TRANSIENT ? Kind.INVALID : known;
          case 401, 403 -> known == Kind.TRANSIENT ? Kind.DENIED : known;
          case 429 -> Kind.RATE;
          default -> known;
        };
    return kind == Kind.TRANSIENT
        ? Optional.empty()
        : Optional.of(new Refusal(kind, reason.isEmpty() ? "HTTP " + status : reason, message));
  }

  /** As an exception, for calls that have no answer of that kind. */
  MayflyException exception(String what, ApiException cause) {
    var text = what + ": Compute Engine says " + status + " " + reason + ": " + message;
    return refusal().map(Refusal::kind).filter(Kind.DENIED::equals).isPresent()
        ? new Denied(text + "; grant the control plane's account the role it lacks", cause)
        : new Unavailable(text, cause);
  }

  private static Optional<JsonObject> error(String body) {
    try {
      return Optional.ofNullable(body)
          .map(JsonParser::parseString)
          .filter(JsonElement::isJsonObject)
          .map(root -> root.getAsJsonObject().getAsJsonObject("error"));
    } catch (JsonParseException | ClassCastException notTheUsualShape) {
      return Optional.empty();
    }
  }

  private static Optional<String> reason(JsonObject error) {
    return Optional.ofNullable(error.getAsJsonArray("errors"))
        .filter(errors -> !errors.isEmpty())
        .map(errors -> errors.get(0).getAsJsonObject().get("reason"))
        .map(JsonElement::getAsString);
  }
}
