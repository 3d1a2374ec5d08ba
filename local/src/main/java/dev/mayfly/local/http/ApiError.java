package dev.mayfly.local.http;

import tools.jackson.databind.json.JsonMapper;

/**
 * An API error in the JSON format of Google's REST APIs. A handler throws it; {@link
 * LoopbackServer} writes it.
 */
public final class ApiError extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final JsonMapper JSON = JsonMapper.shared();

  private final int status;
  private final String reason;

  /**
   * @param status the HTTP status
   * @param reason Google's reason, such as {@code alreadyExists}
   */
  public ApiError(int status, String reason, String message) {
    super(message);
    this.status = status;
    this.reason = reason;
  }

  /** 400, reason {@code invalid}. */
  public static ApiError invalid(String message) {
    return new ApiError(400, "invalid", message);
  }

  /** 400, reason {@code invalid}, for a value that cannot be parsed. */
  public static ApiError invalid(String message, Throwable cause) {
    var error = invalid(message);
    error.initCause(cause);
    return error;
  }

  /** 404, reason {@code notFound}, for a resource given by its path after {@code /compute/v1/}. */
  public static ApiError notFound(String resource) {
    return new ApiError(404, "notFound", "The resource '" + resource + "' was not found");
  }

  public int status() {
    return status;
  }

  public String reason() {
    return reason;
  }

  String body() {
    var root = JSON.createObjectNode();
    var error = root.putObject("error").put("code", status).put("message", getMessage());
    error
        .putArray("errors")
        .addObject()
        .put("message", getMessage())
        .put("domain", status == 403 ? "usageLimits" : "global")
        .put("reason", reason);
    return JSON.writeValueAsString(root);
  }
}
