package dev.mayfly.core.error;

/**
 * What a failure means to the caller of an event or of an HTTP call: the only table for all entry
 * points, real and simulated.
 */
public enum ErrorStatus {
  /** A retry cannot help: the caller must change its request. */
  REJECT(400, false),
  /** What the caller names does not exist; a read may find it later. */
  UNKNOWN(404, false),
  /** A retry cannot help: the caller lacks the right. */
  DENY(403, false),
  /** The caller is not at fault, and retries. */
  RETRY(503, true),
  /** The instance ran out of memory; another one, or this one later, may succeed. */
  FULL(503, true),
  /** A bug in Mayfly, which another version, or another moment, may not have. */
  BUG(500, true);

  private final int status;
  private final boolean redeliver;

  ErrorStatus(int status, boolean redeliver) {
    this.status = status;
    this.redeliver = redeliver;
  }

  /** The status of the HTTP response. */
  public int status() {
    return status;
  }

  /** Whether an event is delivered again; otherwise it is acknowledged. */
  public boolean redeliver() {
    return redeliver;
  }

  public static ErrorStatus of(Throwable failure) {
    if (failure instanceof OutOfMemoryError) return FULL;
    if (!(failure instanceof MayflyException known)) return BUG;
    return switch (known) {
      case UnknownNameException _ -> UNKNOWN;
      case InvalidInputException _ -> REJECT;
      case DeniedException _ -> DENY;
      case UnavailableException _ -> RETRY;
    };
  }
}
