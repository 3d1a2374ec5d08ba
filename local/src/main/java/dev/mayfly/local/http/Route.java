package dev.mayfly.local.http;

import dev.mayfly.local.access.AccessLevel;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends every request whose path starts with {@code prefix} to {@code handler}; the longest prefix
 * wins. The handler gets the whole path.
 *
 * @param prefix starts with a slash, such as {@code /storage/v1}
 * @param reading the credentials that a call with GET or HEAD needs
 * @param writing those that every other call needs
 * @param errors how the API writes its errors
 */
public record Route(
    String prefix,
    RestHandler handler,
    AccessLevel reading,
    AccessLevel writing,
    ApiError.Shape errors) {
  private static final Logger LOG = LoggerFactory.getLogger(Route.class);

  public Route {
    if (!prefix.startsWith("/")) {
      throw new IllegalArgumentException("Route prefix '" + prefix + "' must start with a slash");
    }
  }

  public Route(String prefix, RestHandler handler, AccessLevel access, ApiError.Shape errors) {
    this(prefix, handler, access, access, errors);
  }

  public Route(String prefix, RestHandler handler, AccessLevel access) {
    this(prefix, handler, access, ApiError.Shape.REASONS);
  }

  /** A route for the owner only. */
  public Route(String prefix, RestHandler handler) {
    this(prefix, handler, AccessLevel.OWNER);
  }

  /** The credentials that a call with this method needs. */
  AccessLevel access(String method) {
    return method.equals("GET") || method.equals("HEAD") ? reading : writing;
  }

  /** Answers a call with its result or its error. */
  public void answer(RestCall restCall) throws IOException {
    try {
      restCall.readForm();
      handler.answer(restCall);
    } catch (ApiError refusal) {
      // An unread rest would end the connection and the answer with it.
      restCall.drain();
      refuse(restCall, refusal);
    } catch (IOException e) {
      LOG.warn("{} {}: {}", restCall.method(), restCall.uri(), e.toString());
      // After an answer has begun, only its early end shows that it is incomplete.
      if (restCall.answered()) throw e;
      refuse(restCall, ApiError.unavailable("The laptop cloud's disk: " + e));
    } catch (RuntimeException bug) {
      LOG.error("Answering {} failed", restCall.uri(), bug);
      if (restCall.answered()) throw bug;
      refuse(restCall, new ApiError(500, "backendError", "Internal error: " + bug));
    }
  }

  void refuse(RestCall restCall, ApiError refusal) throws IOException {
    if (refusal.status() == 401) restCall.answerHeader("WWW-Authenticate", "Bearer");
    if (refusal.status() == 304) restCall.answer(304);
    else restCall.answer(refusal.status(), refusal.body(errors));
  }
}
