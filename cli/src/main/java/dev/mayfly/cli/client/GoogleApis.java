package dev.mayfly.cli.client;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.wire.Wire;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Google's APIs over plain REST, for read-only commands. Every answer is a value, including a
 * refusal; no answer is an {@link UnavailableException}.
 */
public final class GoogleApis {
  /** The reasons with which newer and older APIs report that they are disabled. */
  private static final Set<String> OFF = Set.of("SERVICE_DISABLED", "accessNotConfigured");

  /** Who may see the project and not have calls charged to it is refused for this. */
  private static final String NOT_CHARGED = "USER_PROJECT_DENIED";

  private final HttpTransport httpTransport;
  private final Optional<String> endpoint;
  private final Supplier<String> token;
  private final String project;

  /** Whether calls name the project that they are charged to, because a login does not. */
  private volatile boolean charged;

  /**
   * @param project what calls are about; they are charged to it where a login that has no quota
   *     project is refused otherwise
   * @param endpoint serves each API below its name, such as {@code http://127.0.0.1:8080/compute},
   *     without credentials; empty for Google's endpoints
   * @param token an access token; unused with an endpoint
   */
  public GoogleApis(
      String project,
      HttpTransport httpTransport,
      Optional<String> endpoint,
      Supplier<String> token) {
    this.project = project;
    this.httpTransport = httpTransport;
    this.endpoint = endpoint;
    this.token = token;
  }

  /**
   * An API's answer.
   *
   * @param status the HTTP status
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

    /** Whether the API is disabled in the project, as opposed to a missing permission. */
    public boolean apiDisabled() {
      return status == 403
          && !wantsQuotaProject()
          && errorDetail().stream()
              .flatMap(ErrorReply.ErrorDetail::reasons)
              .anyMatch(OFF::contains);
    }

    /** Whether the login has no quota project: then the API is off in gcloud's own project. */
    boolean wantsQuotaProject() {
      return status == 403 && message().filter(it -> it.contains("quota project")).isPresent();
    }

    /** Whether the caller may not have calls charged to the project. */
    public boolean quotaProjectDenied() {
      return status == 403
          && errorDetail().stream()
              .flatMap(ErrorReply.ErrorDetail::reasons)
              .anyMatch(NOT_CHARGED::equals);
    }

    /** The reason for a refusal as the API reports it. */
    public String why() {
      return "HTTP " + status + message().map(m -> ": " + m).orElse("");
    }

    /** The API's own words, if it has any. */
    Optional<String> message() {
      return errorDetail().flatMap(ErrorReply.ErrorDetail::message);
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
   * @param api the first part of the API's host name, such as {@code compute}
   */
  public ApiReply get(String api, String path) {
    return answer(api, path, Optional.empty());
  }

  public ApiReply post(String api, String path, Object body) {
    return answer(api, path, Optional.of(Wire.shared().json(body)));
  }

  private ApiReply answer(String api, String path, Optional<byte[]> body) {
    var reply = once(api, path, body);
    if (charged || !reply.wantsQuotaProject()) return reply;
    charged = true;
    return once(api, path, body);
  }

  private ApiReply once(String api, String path, Optional<byte[]> body) {
    var url = endpoint.map(e -> e + "/" + api).orElse("https://" + api + ".googleapis.com") + path;
    var bearer = endpoint.isPresent() ? Optional.<String>empty() : Optional.of(token.get());
    var payer = Optional.of(project).filter(_ -> charged);
    var reply = httpTransport.call(url, body, bearer, payer);
    if (reply.status() == 429 || reply.status() >= 500)
      throw new UnavailableException(
          url + " answers HTTP " + reply.status() + "; try again in a minute");
    return new ApiReply(reply.status(), reply.body());
  }
}
