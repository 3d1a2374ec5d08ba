package dev.mayfly.local.http;

/** An answer that is an error, in the words of the service. */
public final class RestError extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final String reason;

  /**
   * @param status of HTTP
   * @param reason Google's short word for it, for example {@code notFound}
   */
  public RestError(int status, String reason, String message) {
    super(message);
    this.status = status;
    this.reason = reason;
  }

  public static RestError invalid(String message) {
    return new RestError(400, "invalid", message);
  }

  public static RestError notFound(String message) {
    return new RestError(404, "notFound", message);
  }

  public int status() {
    return status;
  }

  public String reason() {
    return reason;
  }
}
