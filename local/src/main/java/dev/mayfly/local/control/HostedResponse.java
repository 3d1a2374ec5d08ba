package dev.mayfly.local.control;

import com.google.cloud.functions.HttpResponse;
import com.sun.net.httpserver.HttpExchange;
import java.io.BufferedWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A function's response, buffered until it is complete and then sent by the JDK's server. */
final class HostedResponse implements HttpResponse {
  private final HttpExchange exchange;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private int status = 200;
  private final BufferedWriter writer =
      new BufferedWriter(new OutputStreamWriter(body, StandardCharsets.UTF_8));

  HostedResponse(HttpExchange exchange) {
    this.exchange = exchange;
  }

  @Override
  public void setStatusCode(int code) {
    status = code;
  }

  @Override
  public void setStatusCode(int code, String message) {
    status = code;
  }

  @Override
  public void setContentType(String type) {
    exchange.getResponseHeaders().set("Content-Type", type);
  }

  @Override
  public Optional<String> getContentType() {
    return Optional.ofNullable(exchange.getResponseHeaders().getFirst("Content-Type"));
  }

  @Override
  public void appendHeader(String header, String value) {
    exchange.getResponseHeaders().add(header, value);
  }

  @Override
  public Map<String, List<String>> getHeaders() {
    return exchange.getResponseHeaders();
  }

  @Override
  public OutputStream getOutputStream() {
    return body;
  }

  @Override
  public BufferedWriter getWriter() {
    return writer;
  }

  void send() throws IOException {
    writer.flush();
    var bytes = body.toByteArray();
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) exchange.getResponseBody().write(bytes);
  }
}
