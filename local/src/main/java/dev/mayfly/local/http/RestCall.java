package dev.mayfly.local.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** One request in the format of Google's clients, and its answer. */
public final class RestCall {
  /** The mapper for bodies and answers. */
  public static final JsonMapper JSON = new JsonMapper();

  private final HttpExchange exchange;
  private final List<String> path;
  private final Map<String, String> query = new HashMap<>();

  RestCall(HttpExchange exchange) {
    this.exchange = exchange;
    var uri = exchange.getRequestURI();
    // Decoded after splitting, because slashes in an object's name are %2F.
    path =
        Arrays.stream(uri.getRawPath().substring(1).split("/", -1)).map(RestCall::decoded).toList();
    read(uri.getRawQuery() == null ? "" : uri.getRawQuery());
  }

  /** Clients send a GET with a long URL as a POST with the parameters in the body. */
  void readForm() throws IOException {
    if (exchange.getRequestMethod().equals("POST") && method().equals("GET"))
      read(new String(bytes(1 << 20), UTF_8));
  }

  private void read(String parameters) {
    for (var pair : parameters.split("&")) {
      var equals = pair.indexOf('=');
      if (equals > 0)
        query.put(pair.substring(0, equals), URLDecoder.decode(pair.substring(equals + 1), UTF_8));
    }
  }

  /** In a path, a plus is literal. */
  private static String decoded(String segment) {
    return URLDecoder.decode(segment.replace("+", "%2B"), UTF_8);
  }

  /** The effective method: some clients send PATCH as a POST with a header. */
  public String method() {
    return header("X-HTTP-Method-Override").orElse(exchange.getRequestMethod());
  }

  /** The path's parts, decoded. */
  public List<String> path() {
    return path;
  }

  public Optional<String> query(String name) {
    return Optional.ofNullable(query.get(name));
  }

  /** A whole-number parameter; throws {@link RestError} for any other value. */
  public Optional<Long> number(String name) {
    return query(name).map(text -> number(name, text));
  }

  /** A whole-number header; throws {@link RestError} for any other value. */
  public Optional<Long> headerNumber(String name) {
    return header(name).map(text -> number(name, text));
  }

  private static long number(String name, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw RestError.invalid(
          "Invalid value '"
              + text
              + "' for '"
              + name
              + "': write a whole number ("
              + e.getMessage()
              + ")");
    }
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
  }

  /** The origin by which the client reached this server, for links in answers. */
  public String origin() {
    return "http://" + header("Host").orElse("127.0.0.1");
  }

  /** The body, unpacked. */
  public InputStream body() throws IOException {
    var raw = exchange.getRequestBody();
    return header("Content-Encoding").filter("gzip"::equals).isPresent()
        ? new GZIPInputStream(raw)
        : raw;
  }

  /** The body, limited to {@code cap} bytes. */
  public byte[] bytes(int cap) throws IOException {
    var in = body();
    var bytes = in.readNBytes(cap);
    if (bytes.length == cap && in.read() >= 0)
      throw new RestError(413, "uploadTooLarge", "The request is larger than " + cap + " bytes");
    return bytes;
  }

  /**
   * The body as a JSON object; an empty body is an empty object. Throws {@link RestError} for
   * anything else.
   */
  public ObjectNode json(int cap) throws IOException {
    return object(bytes(cap));
  }

  /** A JSON object; throws {@link RestError} for anything else. */
  public static ObjectNode object(byte[] bytes) {
    if (bytes.length == 0) return JSON.createObjectNode();
    try {
      if (JSON.readTree(bytes) instanceof ObjectNode node) return node;
    } catch (JacksonException e) {
      throw new RestError(
          400, "parseError", "Invalid JSON payload received: " + e.getOriginalMessage());
    }
    throw new RestError(400, "parseError", "Invalid JSON payload received: it is not an object");
  }

  public void answerHeader(String name, String value) {
    exchange.getResponseHeaders().set(name, value);
  }

  /** Adds another value of a header. */
  public void addAnswerHeader(String name, String value) {
    exchange.getResponseHeaders().add(name, value);
  }

  public void answer(int status) throws IOException {
    exchange.sendResponseHeaders(status, -1);
  }

  public void answer(int status, JsonNode body) throws IOException {
    answerHeader("Content-Type", "application/json; charset=UTF-8");
    answer(status, JSON.writeValueAsBytes(body));
  }

  private void answer(int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) exchange.getResponseBody().write(body);
  }

  /** Answers with all of {@code content}, whose size is unknown. */
  public void answerAll(int status, InputStream content) throws IOException {
    exchange.sendResponseHeaders(status, 0);
    try (var out = exchange.getResponseBody()) {
      content.transferTo(out);
    }
  }

  /** Answers with {@code size} bytes of {@code content}. */
  public void answer(int status, InputStream content, long size) throws IOException {
    exchange.sendResponseHeaders(status, size == 0 ? -1 : size);
    if (size == 0) return;
    var out = exchange.getResponseBody();
    var buffer = new byte[(int) Math.min(size, 64 << 10)];
    for (var left = size; left > 0; ) {
      var n = content.read(buffer, 0, (int) Math.min(left, buffer.length));
      if (n < 0) throw new IOException("the content ended " + left + " bytes early");
      out.write(buffer, 0, n);
      left -= n;
    }
  }
}
