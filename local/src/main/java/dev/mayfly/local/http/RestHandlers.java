package dev.mayfly.local.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Creates handlers that answer a call or its {@link RestError}, and that may drop the reply.
 *
 * @param faults the injected faults
 * @param errors formats this service's errors
 */
public record RestHandlers(RestFaults faults, Function<RestError, ObjectNode> errors) {
  private static final Logger LOG = LoggerFactory.getLogger(RestHandlers.class);

  /** Answers one call. */
  @FunctionalInterface
  public interface Service {
    void answer(RestCall restCall) throws IOException;
  }

  public HttpHandler handler(Service service) {
    return exchange -> {
      try (exchange) {
        handle(exchange, service);
      }
    };
  }

  private void handle(HttpExchange exchange, Service service) throws IOException {
    var method = exchange.getRequestMethod();
    var path = exchange.getRequestURI().getRawPath();
    var lost = faults.losesReply(method, path);
    var effective = lost ? new LostReplyExchange(exchange) : exchange;
    var restCall = new RestCall(effective);
    try {
      var refusal = faults.errorStatus(method, path);
      if (refusal != 0) throw new RestError(refusal, "backendError", "Backend error, on purpose");
      restCall.readForm();
      service.answer(restCall);
    } catch (RestError e) {
      // An unread rest would end the connection and the answer with it.
      drain(exchange);
      if (e.status() == 304) restCall.answer(304);
      else restCall.answer(e.status(), errors.apply(e));
    } catch (IOException e) {
      broken(effective, restCall, e);
    } finally {
      // If no reply was sent, this ends the connection.
      if (lost) exchange.close();
    }
  }

  private static void drain(HttpExchange exchange) {
    try {
      exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      LOG.debug("the client ended its request early: {}", e.toString());
    }
  }

  private void broken(HttpExchange exchange, RestCall restCall, IOException e) throws IOException {
    LOG.warn("{} {}: {}", exchange.getRequestMethod(), exchange.getRequestURI(), e.toString());
    // After an answer has begun, only its early end shows that it is incomplete.
    if (exchange.getResponseCode() != -1) throw e;
    restCall.answer(
        503, errors.apply(new RestError(503, "backendError", "The laptop cloud's disk: " + e)));
  }
}
