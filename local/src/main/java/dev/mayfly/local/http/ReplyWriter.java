package dev.mayfly.local.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;

/** Writes complete answers. */
public final class ReplyWriter {
  private ReplyWriter() {}

  /** Answers with JSON text. */
  public static void json(HttpExchange exchange, int status, String body) throws IOException {
    send(exchange, status, "application/json; charset=UTF-8", body);
  }

  /** Answers with plain text. */
  public static void text(HttpExchange exchange, int status, String body) throws IOException {
    send(exchange, status, "text/plain; charset=UTF-8", body);
  }

  /** Answers with an error in Google's JSON format. */
  public static void error(HttpExchange exchange, ApiError error) throws IOException {
    json(exchange, error.status(), error.body());
  }

  private static void send(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    var bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    // Zero means a chunked body; minus one means no body.
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
