package dev.mayfly.local.storage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.http.RestError;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** One call of a batch: its request is the text of a part, and its answer is written as text. */
final class BatchedCall extends HttpExchange {
  private static final String PREFIX = "/storage/v1/";

  private final String method;
  private final URI uri;
  private final Headers headers = new Headers();
  private final InputStream body;
  private final Headers answerHeaders = new Headers();
  private final ByteArrayOutputStream answer = new ByteArrayOutputStream();
  private int status = -1;

  private BatchedCall(String method, URI uri, byte[] body) {
    this.method = method;
    this.uri = uri;
    this.body = new ByteArrayInputStream(body);
  }

  /** Throws {@link RestError} for a part that is not a request. */
  static BatchedCall of(MultipartBody.Part part, RestCall outer) {
    var text = new String(part.bytes(), ISO_8859_1).split("\r?\n\r?\n", 2);
    var lines = text[0].split("\r?\n");
    var request = lines[0].split(" ");
    if (request.length < 2)
      throw RestError.invalid(
          "A part of the batch does not begin with a request: '" + lines[0] + "'");
    var content = text.length > 1 ? text[1].getBytes(ISO_8859_1) : new byte[0];
    var call = new BatchedCall(request[0], resource(request[1]), content);
    outer.header("Host").ifPresent(host -> call.headers.set("Host", host));
    for (var i = 1; i < lines.length; i++) call.header(lines[i]);
    return call;
  }

  /** Some clients send the whole URL. */
  private static URI resource(String text) {
    try {
      var uri = new URI(text);
      var resource = uri.isAbsolute() ? new URI(text.substring(text.indexOf('/', 8))) : uri;
      if (resource.getRawPath() == null || !resource.getRawPath().startsWith(PREFIX))
        throw RestError.invalid("A part of the batch names '" + text + "', not " + PREFIX + "…");
      return resource;
    } catch (URISyntaxException | IndexOutOfBoundsException e) {
      throw RestError.invalid("A part of the batch names no resource: " + e.getMessage());
    }
  }

  private void header(String line) {
    var colon = line.indexOf(':');
    if (colon > 0) headers.add(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
  }

  /** Writes the reply as text, as its own connection would carry it. */
  void writeReply(ByteArrayOutputStream out) {
    var head = new StringBuilder("HTTP/1.1 " + status + (status < 300 ? " OK" : " Error") + "\r\n");
    answerHeaders.forEach((name, values) ->
        values.forEach(value -> head.append(name).append(": ").append(value).append("\r\n")));
    head.append("Content-Length: ").append(answer.size()).append("\r\n\r\n");
    out.writeBytes(head.toString().getBytes(ISO_8859_1));
    out.writeBytes(answer.toByteArray());
  }

  @Override
  public Headers getRequestHeaders() {
    return headers;
  }

  @Override
  public Headers getResponseHeaders() {
    return answerHeaders;
  }

  @Override
  public URI getRequestURI() {
    return uri;
  }

  @Override
  public String getRequestMethod() {
    return method;
  }

  @Override
  public InputStream getRequestBody() {
    return body;
  }

  @Override
  public OutputStream getResponseBody() {
    return answer;
  }

  @Override
  public void sendResponseHeaders(int code, long length) {
    status = code;
  }

  @Override
  public int getResponseCode() {
    return status;
  }

  @Override
  public void close() {
    // No connection to close.
  }

  @Override
  public HttpContext getHttpContext() {
    throw new UnsupportedOperationException("a call of a batch has no route of its own");
  }

  @Override
  public InetSocketAddress getRemoteAddress() {
    return InetSocketAddress.createUnresolved("batch", 0);
  }

  @Override
  public InetSocketAddress getLocalAddress() {
    return InetSocketAddress.createUnresolved("batch", 0);
  }

  @Override
  public String getProtocol() {
    return "HTTP/1.1";
  }

  @Override
  public @Nullable Object getAttribute(String name) {
    return null;
  }

  @Override
  public void setAttribute(String name, @Nullable Object value) {
    throw new UnsupportedOperationException("a call of a batch has no attributes");
  }

  @Override
  public void setStreams(@Nullable InputStream in, @Nullable OutputStream out) {
    throw new UnsupportedOperationException("a call of a batch has streams of its own");
  }

  @Override
  public @Nullable HttpPrincipal getPrincipal() {
    return null;
  }
}
