package dev.mayfly.local.http;

/** An error answer in the service's wording. */
public final class RestError extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final String reason;

  /**
   * @param status the HTTP status
   * @param reason Google's reason, for example {@code notFound}
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
