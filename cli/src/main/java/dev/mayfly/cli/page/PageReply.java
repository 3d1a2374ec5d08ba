package dev.mayfly.cli.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/** Answers requests, each with the headers by which browsers run nothing but the page's files. */
final class PageReply {
  static final String JSON = "application/json";

  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
              + " img-src 'self' data:; base-uri 'none'; form-action 'none';"
              + " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cache-Control",
          "no-store");

  private PageReply() {}

  /** As the read API writes errors. */
  private record Problem(int status, String error) {}

  static void problem(HttpExchange exchange, int status, String error) throws IOException {
    send(exchange, status, JSON, Wire.shared().json(new Problem(status, error)));
  }

  static void text(HttpExchange exchange, int status, String text) throws IOException {
    send(exchange, status, "text/plain; charset=utf-8", (text + "\n").getBytes(UTF_8));
  }

  static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
    begin(exchange, type);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) exchange.getResponseBody().write(body);
  }

  /** An answer of any length, sent as it is written. */
  static OutputStream stream(HttpExchange exchange, String type) throws IOException {
    begin(exchange, type);
    exchange.sendResponseHeaders(200, 0);
    return exchange.getResponseBody();
  }

  private static void begin(HttpExchange exchange, String type) {
    var headers = exchange.getResponseHeaders();
    HEADERS.forEach(headers::set);
    headers.set("Content-Type", type);
  }
}
