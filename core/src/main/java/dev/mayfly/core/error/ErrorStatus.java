package dev.mayfly.core.error;

/**
 * What a failure means to the caller, of an event or of an HTTP call: the one table for all entry
 * points, real and simulated.
 */
public enum ErrorStatus {
  /** Trying again can't help: the caller mends what it asks. */
  REJECT(400, false),
  /** Trying again can't help: the caller may not ask it. */
  DENY(403, false),
  /** The caller has done nothing wrong, and asks again. */
  RETRY(503, true),
  /** The instance had no memory left for it; another one, or this one later, may. */
  FULL(503, true),
  /** A mistake of ours, which another version, or another moment, may not have. */
  BUG(500, true);

  private final int status;
  private final boolean redeliver;

  ErrorStatus(int status, boolean redeliver) {
    this.status = status;
    this.redeliver = redeliver;
  }

  /** The status of the HTTP answer. */
  public int status() {
    return status;
  }

  /** Whether an event comes again; otherwise it is acknowledged. */
  public boolean redeliver() {
    return redeliver;
  }

  public static ErrorStatus of(Throwable failure) {
    if (failure instanceof OutOfMemoryError) return FULL;
    if (!(failure instanceof MayflyException known)) return BUG;
    return switch (known) {
      case InvalidInputException _ -> REJECT;
      case DeniedException _ -> DENY;
      case UnavailableException _ -> RETRY;
    };
  }
}
