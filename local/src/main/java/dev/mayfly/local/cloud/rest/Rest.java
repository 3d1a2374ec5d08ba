package dev.mayfly.local.cloud.rest;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes handlers: a call comes in, is answered or {@link Refused}, and its reply may get lost.
 *
 * @param faults what goes wrong on purpose
 * @param errors how this service writes its errors
 */
public record Rest(Faults faults, Function<Refused, ObjectNode> errors) {
  private static final Logger LOG = LoggerFactory.getLogger(Rest.class);

  /** Answers one call. */
  @FunctionalInterface
  public interface Service {
    void answer(Call call) throws IOException;
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
    var heard = faults.loseReply(method, path) ? new LostReply(exchange) : exchange;
    var call = new Call(heard);
    try {
      var refusal = faults.refuse(method, path);
      if (refusal != 0) throw new Refused(refusal, "backendError", "Backend error, on purpose");
      call.readForm();
      service.answer(call);
    } catch (Refused e) {
      // Else the connection ends with the rest of it, and with the answer.
      drain(exchange);
      if (e.status() == 304) call.answer(304);
      else call.answer(e.status(), errors.apply(e));
    } catch (IOException e) {
      broken(heard, call, e);
    }
  }

  private static void drain(HttpExchange exchange) {
    try {
      exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      LOG.debug("the client ended its request early: {}", e.toString());
    }
  }

  private void broken(HttpExchange exchange, Call call, IOException e) throws IOException {
    LOG.warn("{} {}: {}", exchange.getRequestMethod(), exchange.getRequestURI(), e.toString());
    // Once an answer has begun, only an early end of it can tell that it is not whole.
    if (exchange.getResponseCode() != -1) throw e;
    call.answer(
        503, errors.apply(new Refused(503, "backendError", "The laptop cloud's disk: " + e)));
  }
}
