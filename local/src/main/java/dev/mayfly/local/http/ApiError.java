package dev.mayfly.local.http;

import tools.jackson.databind.node.ObjectNode;

/** A refused or failed call as Google's REST APIs answer it. A handler throws it. */
public final class ApiError extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final String reason;

  /** How an API writes its errors in JSON. */
  public enum Shape {
    /** Compute Engine, Cloud Storage: a list with reasons. */
    REASONS,
    /** Google's newer APIs: a canonical status. */
    STATUS,
    /** Mayfly's own functions. */
    FUNCTION
  }

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

  /** 404, reason {@code notFound}. */
  public static ApiError notFound(String message) {
    return new ApiError(404, "notFound", message);
  }

  /** 409, reason {@code alreadyExists}. */
  public static ApiError exists(String message) {
    return new ApiError(409, "alreadyExists", message);
  }

  /** 503, reason {@code backendError}: the call may be repeated. */
  public static ApiError unavailable(String message) {
    return new ApiError(503, "backendError", message);
  }

  public int status() {
    return status;
  }

  public String reason() {
    return reason;
  }

  ObjectNode body(Shape shape) {
    var root = RestCall.JSON.createObjectNode();
    if (shape == Shape.FUNCTION) return root.put("status", status).put("error", getMessage());
    var error = root.putObject("error").put("code", status).put("message", getMessage());
    if (shape == Shape.STATUS) {
      error.put("status", canonicalStatus());
      return root;
    }
    var detail =
        error
            .putArray("errors")
            .addObject()
            .put("message", getMessage())
            .put("domain", status == 403 ? "usageLimits" : "global")
            .put("reason", reason);
    if (status == 412) detail.put("locationType", "header").put("location", "If-Match");
    return root;
  }

  private String canonicalStatus() {
    return switch (status) {
      case 400, 413 -> "INVALID_ARGUMENT";
      case 401 -> "UNAUTHENTICATED";
      case 403 -> "PERMISSION_DENIED";
      case 404 -> "NOT_FOUND";
      case 409 -> "ALREADY_EXISTS";
      case 429 -> "RESOURCE_EXHAUSTED";
      default -> "UNAVAILABLE";
    };
  }
}
