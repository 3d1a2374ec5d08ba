package dev.mayfly.functions.handler;

import com.google.cloud.functions.HttpResponse;
import dev.mayfly.core.error.ErrorStatus;
import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where failures become answers: acknowledge, deliver again, or an HTTP status. Each is logged
 * here, once.
 */
final class ErrorBoundary {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorBoundary.class);

  private static final int MANY = 10_000;
  private static final Set<UnreadableDocument> UNREADABLE = ConcurrentHashMap.newKeySet();

  private ErrorBoundary() {}

  /**
   * False for a document that could not be read before either: calls come every few seconds, and a
   * process says it once.
   */
  private static boolean isNews(Throwable failure) {
    return !(failure instanceof UnreadableDocumentException unknown)
        || (UNREADABLE.size() < MANY && UNREADABLE.add(unknown.document()));
  }

  /** Work that may fail. */
  interface Work {
    void run() throws IOException;
  }

  /**
   * Returning acknowledges the event; what is thrown makes it come again. An {@link Error} is held
   * like any failure: the memory that one call could not have is free again when the call has
   * ended, and the other calls of the instance know nothing of it.
   */
  static void handleEvent(String id, Work work) {
    try {
      work.run();
    } catch (RuntimeException | IOException | Error failure) {
      var errorStatus = ErrorStatus.of(failure);
      if (errorStatus == ErrorStatus.BUG) LOG.error("event {} failed and comes again", id, failure);
      else if (isNews(failure)) LOG.warn("event {}: {}: {}", id, errorStatus, failure.getMessage());
      if (errorStatus.redeliver()) throw new RedeliverException(id, failure);
    }
  }

  /** The answer to a call that failed. */
  static void handleHttp(String call, HttpResponse response, Work work) throws IOException {
    try {
      work.run();
    } catch (CallerAuthenticator.Unauthenticated nobody) {
      throw nobody;
    } catch (RuntimeException | Error failure) {
      var errorStatus = ErrorStatus.of(failure);
      if (errorStatus == ErrorStatus.BUG) LOG.error("{} failed", call, failure);
      else if (isNews(failure)) LOG.info("{}: {}: {}", call, errorStatus, failure.getMessage());
      writeError(response, errorStatus.status(), text(errorStatus, failure));
    }
  }

  private static String text(ErrorStatus errorStatus, Throwable failure) {
    return switch (errorStatus) {
      case BUG -> "an error inside Mayfly; its log has more";
      case FULL -> "this instance has no memory left for the call; call again";
      case REJECT, DENY, RETRY -> String.valueOf(failure.getMessage());
    };
  }

  record ErrorBody(int status, String error) {}

  static void writeError(HttpResponse response, int status, String text) throws IOException {
    writeJson(response, status, new ErrorBody(status, text));
  }

  static void writeJson(HttpResponse response, int status, Object body) throws IOException {
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
