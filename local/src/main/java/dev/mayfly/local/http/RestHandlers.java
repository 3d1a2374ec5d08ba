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
 * Makes handlers: a call comes in, is answered or {@link RestError}, and its reply may get lost.
 *
 * @param faults what goes wrong on purpose
 * @param errors how this service writes its errors
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
    var heard = faults.losesReply(method, path) ? new LostReplyExchange(exchange) : exchange;
    var restCall = new RestCall(heard);
    try {
      var refusal = faults.errorStatus(method, path);
      if (refusal != 0) throw new RestError(refusal, "backendError", "Backend error, on purpose");
      restCall.readForm();
      service.answer(restCall);
    } catch (RestError e) {
      // Else the connection ends with the rest of it, and with the answer.
      drain(exchange);
      if (e.status() == 304) restCall.answer(304);
      else restCall.answer(e.status(), errors.apply(e));
    } catch (IOException e) {
      broken(heard, restCall, e);
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
    // Once an answer has begun, only an early end of it can tell that it is not whole.
    if (exchange.getResponseCode() != -1) throw e;
    restCall.answer(
        503, errors.apply(new RestError(503, "backendError", "The laptop cloud's disk: " + e)));
  }
}
