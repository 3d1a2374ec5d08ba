package dev.mayfly.cli.client;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.wire.Wire;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Google's own APIs over plain REST, for commands that only look. An answer is a value, a refusal
 * too; what does not answer at all is {@link UnavailableException}.
 */
public final class GoogleApis {
  /** How APIs of today and those of before say that they are turned off. */
  private static final Set<String> OFF = Set.of("SERVICE_DISABLED", "accessNotConfigured");

  private final HttpTransport httpTransport;
  private final Optional<String> endpoint;
  private final Supplier<String> token;

  /**
   * @param endpoint serves each API below its name, such as {@code http://127.0.0.1:8080/compute},
   *     without credentials; empty for Google's own
   * @param token an access token; not asked for with an endpoint
   */
  public GoogleApis(
      HttpTransport httpTransport, Optional<String> endpoint, Supplier<String> token) {
    this.httpTransport = httpTransport;
    this.endpoint = endpoint;
    this.token = token;
  }

  /**
   * What an API said.
   *
   * @param status of HTTP
   */
  public record ApiReply(int status, byte[] body) {
    public boolean ok() {
      return status >= 200 && status < 300;
    }

    public boolean missing() {
      return status == 404;
    }

    public <T> T as(Class<T> type) {
      return Wire.shared().read(type, body);
    }

    /** Whether the project has this API turned off: no right is lacking then. */
    public boolean apiDisabled() {
      return status == 403
          && errorDetail().stream()
              .flatMap(ErrorReply.ErrorDetail::reasons)
              .anyMatch(OFF::contains);
    }

    /** Why it was refused, in the API's own words. */
    public String why() {
      return "HTTP "
          + status
          + errorDetail().flatMap(ErrorReply.ErrorDetail::message).map(m -> ": " + m).orElse("");
    }

    private Optional<ErrorReply.ErrorDetail> errorDetail() {
      try {
        return as(ErrorReply.class).error();
      } catch (dev.mayfly.core.error.InvalidInputException noJson) {
        return Optional.empty();
      }
    }
  }

  record ErrorReply(Optional<ErrorDetail> error) {
    record ErrorDetail(
        Optional<String> message, Optional<List<Reason>> details, Optional<List<Reason>> errors) {
      Stream<String> reasons() {
        return Stream.of(details, errors)
            .flatMap(Optional::stream)
            .flatMap(List::stream)
            .map(Reason::reason)
            .flatMap(Optional::stream);
      }
    }

    record Reason(Optional<String> reason) {}
  }

  /**
   * @param api the first part of its host name, such as {@code compute}
   */
  public ApiReply get(String api, String path) {
    return answer(api, path, Optional.empty());
  }

  public ApiReply post(String api, String path, Object body) {
    return answer(api, path, Optional.of(Wire.shared().json(body)));
  }

  private ApiReply answer(String api, String path, Optional<byte[]> body) {
    var url = endpoint.map(e -> e + "/" + api).orElse("https://" + api + ".googleapis.com") + path;
    var bearer = endpoint.isPresent() ? Optional.<String>empty() : Optional.of(token.get());
    var reply = httpTransport.call(url, body, bearer);
    if (reply.status() == 429 || reply.status() >= 500)
      throw new UnavailableException(
          url + " answers HTTP " + reply.status() + "; try again in a minute");
    return new ApiReply(reply.status(), reply.body());
  }
}
