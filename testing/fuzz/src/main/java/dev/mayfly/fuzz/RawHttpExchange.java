package dev.mayfly.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request built from bytes: a line with method and address, headers, an empty line, the
 * body. The response is counted and discarded.
 */
final class RawHttpExchange extends HttpExchange {
  private static final InetSocketAddress SOMEWHERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

  private final String method;
  private final URI address;
  private final Headers headers = new Headers();
  private final Headers answer = new Headers();
  private InputStream body;
  private OutputStream sink = OutputStream.nullOutputStream();
  private int status = -1;

  private RawHttpExchange(String method, URI address, byte[] body) {
    this.method = method;
    this.address = address;
    this.body = new ByteArrayInputStream(body);
  }

  /** Empty for bytes that the JDK's server itself refuses. */
  static Optional<RawHttpExchange> of(byte[] bytes) {
    var text = new String(bytes, ISO_8859_1);
    var end = text.indexOf("\n\n");
    var head = (end < 0 ? text : text.substring(0, end)).split("\n", -1);
    var first = head[0].split(" ", 2);
    if (first.length < 2 || !first[0].matches("[A-Z]{1,10}") || !first[1].startsWith("/"))
      return Optional.empty();
    var body = end < 0 ? new byte[0] : text.substring(end + 2).getBytes(ISO_8859_1);
    try {
      var call = new RawHttpExchange(first[0], new URI(first[1]), body);
      for (var i = 1; i < head.length; i++) {
        var colon = head[i].indexOf(':');
        if (colon > 0)
          call.headers.add(head[i].substring(0, colon), head[i].substring(colon + 1).strip());
      }
      return Optional.of(call);
    } catch (URISyntaxException | IllegalArgumentException refused) {
      return Optional.empty();
    }
  }

  @Override
  public Headers getRequestHeaders() {
    return headers;
  }

  @Override
  public Headers getResponseHeaders() {
    return answer;
  }

  @Override
  public URI getRequestURI() {
    return address;
  }

  @Override
  public String getRequestMethod() {
    return method;
  }

  @Override
  public @Nullable HttpContext getHttpContext() {
    return null;
  }

  @Override
  public void close() {
    // Nothing is open.
  }

  @Override
  public InputStream getRequestBody() {
    return body;
  }

  @Override
  public OutputStream getResponseBody() {
    return sink;
  }

  @Override
  public void sendResponseHeaders(int code, long length) {
    if (status != -1) throw new IllegalStateException("answered twice: " + status + ", " + code);
    status = code;
  }

  @Override
  public InetSocketAddress getRemoteAddress() {
    return SOMEWHERE;
  }

  @Override
  public int getResponseCode() {
    return status;
  }

  @Override
  public InetSocketAddress getLocalAddress() {
    return SOMEWHERE;
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
    // Nothing reads one.
  }

  @Override
  public void setStreams(@Nullable InputStream in, @Nullable OutputStream out) {
    if (in != null) body = in;
    if (out != null) sink = out;
  }

  @Override
  public @Nullable HttpPrincipal getPrincipal() {
    return null;
  }
}
