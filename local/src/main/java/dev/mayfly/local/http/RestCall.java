package dev.mayfly.local.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** One request and its answer. */
public final class RestCall {
  /** The mapper for bodies and answers. */
  public static final JsonMapper JSON = new JsonMapper();

  private static final Logger LOG = LoggerFactory.getLogger(RestCall.class);

  private final String method;
  private final URI uri;
  private final Headers headers;
  private final InputStream body;
  private final RestReply reply;
  private final List<String> path;
  private QueryParameters parameters;
  private boolean answered;

  /** A call without a connection of its own. */
  public RestCall(String method, URI uri, Headers headers, InputStream body, BufferedReply reply) {
    this(method, uri, headers, body, (RestReply) reply);
  }

  private RestCall(String method, URI uri, Headers headers, InputStream body, RestReply reply) {
    this.method = method;
    this.uri = uri;
    this.headers = headers;
    this.body = body;
    this.reply = reply;
    // Decoded after splitting, because slashes in an object's name are %2F.
    path = Arrays.stream(segments(uri)).map(RestCall::decoded).toList();
    parameters = QueryParameters.of(rawQuery().orElse(""));
  }

  /** An address may be without a path: {@code //HOST}. */
  private static String[] segments(URI uri) {
    var path = uri.getRawPath() == null ? "" : uri.getRawPath();
    return (path.startsWith("/") ? path.substring(1) : path).split("/", -1);
  }

  RestCall(HttpExchange exchange, RestReply reply) {
    this(
        exchange.getRequestMethod(),
        exchange.getRequestURI(),
        exchange.getRequestHeaders(),
        exchange.getRequestBody(),
        reply);
  }

  /** Clients send a GET with a long URL as a POST with the parameters in the body. */
  void readForm() throws IOException {
    if (method.equals("POST") && method().equals("GET"))
      parameters =
          QueryParameters.of(rawQuery().orElse("") + "&" + new String(bytes(1 << 20), UTF_8));
  }

  /** In a path, a plus is literal. */
  private static String decoded(String segment) {
    return URLDecoder.decode(segment.replace("+", "%2B"), UTF_8);
  }

  /** The effective method: some clients send PATCH as a POST with a header. */
  public String method() {
    return header("X-HTTP-Method-Override").orElse(method);
  }

  public URI uri() {
    return uri;
  }

  /** The path's parts, decoded. */
  public List<String> path() {
    return path;
  }

  /** The query as it was sent. */
  public Optional<String> rawQuery() {
    return Optional.ofNullable(uri.getRawQuery());
  }

  public QueryParameters parameters() {
    return parameters;
  }

  /** A parameter; empty if it is absent or blank. */
  public Optional<String> query(String name) {
    return parameters.text(name);
  }

  /** A whole-number parameter; throws {@link ApiError} for any other value. */
  public Optional<Long> number(String name) {
    return parameters.number(name);
  }

  /** A whole-number header; throws {@link ApiError} for any other value. */
  public Optional<Long> headerNumber(String name) {
    return header(name).map(text -> wholeNumber(name, text));
  }

  /** A whole number; throws {@link ApiError} for any other text. */
  public static long wholeNumber(String name, String text) {
    return QueryParameters.wholeNumber(name, text);
  }

  public Headers headers() {
    return headers;
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.getFirst(name));
  }

  /**
   * Refuses a call that shows no token. {@code AccessGuard} compares tokens where the cloud has an
   * owner.
   */
  public void requireToken() {
    if (header("Authorization").filter(h -> h.startsWith("Bearer ")).isEmpty())
      throw new ApiError(401, "unauthorized", "Request is missing required authentication.");
  }

  /** The error of a call that this cloud does not serve. */
  public ApiError unserved() {
    return ApiError.notFound(
        "The laptop cloud does not serve " + method() + " /" + String.join("/", path));
  }

  /** The origin by which the client reached this server, for links in answers. */
  public String origin() {
    return "http://" + header("Host").orElse("127.0.0.1");
  }

  /** The body, unpacked. Throws {@link ApiError} for one that cannot be read, also while it is. */
  public InputStream body() {
    return RequestBody.of(body, header("Content-Encoding").filter("gzip"::equals).isPresent());
  }

  /** The body, limited to {@code cap} bytes. */
  public byte[] bytes(int cap) throws IOException {
    var in = body();
    var bytes = in.readNBytes(cap);
    if (bytes.length == cap && in.read() >= 0)
      throw new ApiError(413, "uploadTooLarge", "The request is larger than " + cap + " bytes");
    return bytes;
  }

  /**
   * The body as a JSON object; an empty body is an empty object. Throws {@link ApiError} for
   * anything else.
   */
  public ObjectNode json(int cap) throws IOException {
    return object(bytes(cap));
  }

  /** A JSON object; throws {@link ApiError} for anything else. */
  public static ObjectNode object(byte[] bytes) {
    if (bytes.length == 0) return JSON.createObjectNode();
    try {
      if (JSON.readTree(bytes) instanceof ObjectNode node) return node;
    } catch (JacksonException e) {
      throw new ApiError(
          400, "parseError", "Invalid JSON payload received: " + e.getOriginalMessage());
    }
    throw new ApiError(400, "parseError", "Invalid JSON payload received: it is not an object");
  }

  /** Reads what is left of the body. */
  void drain() {
    try {
      body.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      LOG.debug("the client ended its request early: {}", e.toString());
    }
  }

  /** Whether an answer has begun. */
  boolean answered() {
    return answered;
  }

  /** The headers of the answer. */
  public Headers answerHeaders() {
    return reply.headers();
  }

  public void answerHeader(String name, String value) {
    reply.headers().set(name, value);
  }

  public void answer(int status) throws IOException {
    begin(status, -1);
  }

  public void answer(int status, JsonNode json) throws IOException {
    answerJson(status, JSON.writeValueAsString(json));
  }

  public void answerJson(int status, String json) throws IOException {
    answerHeader("Content-Type", "application/json; charset=UTF-8");
    answer(status, json.getBytes(UTF_8));
  }

  public void answerText(int status, String text) throws IOException {
    answerHeader("Content-Type", "text/plain; charset=UTF-8");
    answer(status, text.getBytes(UTF_8));
  }

  public void answer(int status, byte[] content) throws IOException {
    var out = begin(status, content.length == 0 ? -1 : content.length);
    if (content.length > 0) out.write(content);
  }

  /** Answers with all of {@code content}, whose size is unknown. */
  public void answerAll(int status, InputStream content) throws IOException {
    try (var out = begin(status, 0)) {
      content.transferTo(out);
    }
  }

  /** Answers with {@code size} bytes of {@code content}. */
  public void answer(int status, InputStream content, long size) throws IOException {
    var out = begin(status, size == 0 ? -1 : size);
    var buffer = new byte[(int) Math.min(size, 64 << 10)];
    for (var left = size; left > 0; ) {
      var n = content.read(buffer, 0, (int) Math.min(left, buffer.length));
      if (n < 0) throw new IOException("the content ended " + left + " bytes early");
      out.write(buffer, 0, n);
      left -= n;
    }
  }

  private OutputStream begin(int status, long length) throws IOException {
    answered = true;
    return reply.begin(status, length);
  }
}
