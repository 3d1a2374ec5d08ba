package dev.mayfly.functions;

import com.google.cloud.functions.HttpResponse;
import dev.mayfly.core.error.Denied;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where failures become answers: acknowledge, deliver again, or an HTTP status. Each is logged
 * here, once.
 */
final class Edge {
  private static final Logger LOG = LoggerFactory.getLogger(Edge.class);

  private Edge() {}

  /** What a failure means to whoever called. */
  enum Verdict {
    /** Trying again can't help. */
    REJECT(400, false),
    DENY(403, false),
    RETRY(503, true),
    BUG(500, true);

    final int status;
    final boolean redeliver;

    Verdict(int status, boolean redeliver) {
      this.status = status;
      this.redeliver = redeliver;
    }

    static Verdict of(Throwable failure) {
      if (!(failure instanceof MayflyException known)) return BUG;
      return switch (known) {
        case Invalid e -> REJECT;
        case Denied e -> DENY;
        case Unavailable e -> RETRY;
      };
    }
  }

  /** Work that may fail. */
  interface Work {
    void run() throws IOException;
  }

  /** Returning acknowledges the event; what is thrown makes it come again. */
  static void event(String id, Work work) {
    try {
      work.run();
    } catch (RuntimeException | IOException failure) {
      var verdict = Verdict.of(failure);
      if (verdict == Verdict.BUG) LOG.error("event {} failed and comes again", id, failure);
      else LOG.warn("event {}: {}: {}", id, verdict, failure.getMessage());
      if (verdict.redeliver) throw new RedeliverException(id, failure);
    }
  }

  /** The answer to a call that failed. */
  static void http(String call, HttpResponse response, Work work) throws IOException {
    try {
      work.run();
    } catch (Identity.Missing nobody) {
      throw nobody;
    } catch (RuntimeException failure) {
      var verdict = Verdict.of(failure);
      if (verdict == Verdict.BUG) LOG.error("{} failed", call, failure);
      else LOG.info("{}: {}: {}", call, verdict, failure.getMessage());
      var text =
          verdict == Verdict.BUG
              ? "an error inside Mayfly; its log has more"
              : failure.getMessage();
      error(response, verdict.status, text);
    }
  }

  record ErrorBody(int status, String error) {}

  static void error(
      HttpResponse response, int status, @org.jspecify.annotations.Nullable String text)
      throws IOException {
    json(response, status, new ErrorBody(status, String.valueOf(text)));
  }

  static void json(HttpResponse response, int status, Object body) throws IOException {
    response.setStatusCode(status);
    response.setContentType("application/json; charset=utf-8");
    response.appendHeader("X-Content-Type-Options", "nosniff");
    response.appendHeader("Cache-Control", "no-store");
    response.getOutputStream().write(Wire.shared().json(body));
  }

  /** Thrown so that the framework answers 500 and the event is delivered again. */
  static final class RedeliverException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RedeliverException(String id, Throwable cause) {
      super("event " + id + " is to be delivered again", cause);
    }
  }
}
