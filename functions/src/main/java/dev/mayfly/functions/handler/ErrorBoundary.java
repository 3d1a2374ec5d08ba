package dev.mayfly.functions.handler;

import com.google.cloud.functions.HttpResponse;
import dev.mayfly.core.error.ErrorStatus;
import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.wire.Wire;
import io.cloudevents.CloudEvent;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns failures into answers: acknowledgement, redelivery or an HTTP status. Logs each failure
 * once.
 */
final class ErrorBoundary {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorBoundary.class);

  private static final int MAX_DOCUMENTS = 10_000;
  private static final Set<UnreadableDocument> UNREADABLE = ConcurrentHashMap.newKeySet();

  private ErrorBoundary() {}

  /**
   * False for an unreadable document that was logged before: calls arrive every few seconds, but a
   * process logs it once.
   */
  private static boolean isFirst(Throwable failure) {
    return !(failure instanceof UnreadableDocumentException unknown)
        || (UNREADABLE.size() < MAX_DOCUMENTS && UNREADABLE.add(unknown.document()));
  }

  /** Work that may fail. */
  interface Work {
    void run() throws IOException;
  }

  /** Handles the event's message. Its end is that of {@link #handleEvent(String, Work)}. */
  static void handleEvent(CloudEvent event, Consumer<PubSubMessage> work) {
    handleEvent(event.getId(), () -> work.accept(PubSubMessage.of(event)));
  }

  /**
   * Returning acknowledges the event; an exception makes Pub/Sub deliver it again. An {@link Error}
   * is handled like any failure: memory that one call lacked is free after the call, and other
   * calls of the instance are not affected.
   */
  static void handleEvent(String id, Work work) {
    try {
      work.run();
    } catch (RuntimeException | IOException | Error failure) {
      var errorStatus = ErrorStatus.of(failure);
      if (errorStatus == ErrorStatus.BUG)
        LOG.error("event {} failed and will be delivered again", id, failure);
      else if (isFirst(failure))
        LOG.warn("event {}: {}: {}", id, errorStatus, failure.getMessage());
      if (errorStatus.redeliver()) throw new RedeliverException(id, failure);
    }
  }

  /** Runs the call and answers if it fails. */
  static void handleHttp(String call, HttpResponse response, Work work) throws IOException {
    try {
      work.run();
    } catch (CallerAuthenticator.Unauthenticated unauthenticated) {
      throw unauthenticated;
    } catch (RuntimeException | Error failure) {
      var errorStatus = ErrorStatus.of(failure);
      if (errorStatus == ErrorStatus.BUG) LOG.error("{} failed", call, failure);
      // A caller that waits for what it published asks again and again.
      else if (errorStatus == ErrorStatus.UNKNOWN) LOG.debug("{}: {}", call, failure.getMessage());
      else if (isFirst(failure)) LOG.info("{}: {}: {}", call, errorStatus, failure.getMessage());
      writeError(response, errorStatus.status(), text(errorStatus, failure));
    }
  }

  private static String text(ErrorStatus errorStatus, Throwable failure) {
    return switch (errorStatus) {
      case BUG -> "an internal error in Mayfly; see its log";
      case FULL -> "this instance is out of memory; call again";
      case REJECT, UNKNOWN, DENY, RETRY -> String.valueOf(failure.getMessage());
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

  /** Makes the framework answer 500, so that the event is delivered again. */
  static final class RedeliverException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RedeliverException(String id, Throwable cause) {
      super("event " + id + " is to be delivered again", cause);
    }
  }
}
