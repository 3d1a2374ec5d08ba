package dev.mayfly.local.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** A request whose reply is dropped: its handler does its work and writes a reply as usual. */
final class LostReplyExchange extends HttpExchange {
  private final HttpExchange real;
  private final Headers unsent = new Headers();
  private int status = -1;

  /**
   * @param real the exchange whose connection the server cuts after its handler returned
   */
  LostReplyExchange(HttpExchange real) {
    this.real = real;
  }

  @Override
  public void sendResponseHeaders(int code, long length) {
    status = code;
  }

  @Override
  public OutputStream getResponseBody() {
    return OutputStream.nullOutputStream();
  }

  @Override
  public Headers getResponseHeaders() {
    return unsent;
  }

  @Override
  public int getResponseCode() {
    return status;
  }

  /** Does nothing: the server cuts the connection when the handler has returned. */
  @Override
  public void close() {}

  @Override
  public Headers getRequestHeaders() {
    return real.getRequestHeaders();
  }

  @Override
  public URI getRequestURI() {
    return real.getRequestURI();
  }

  @Override
  public String getRequestMethod() {
    return real.getRequestMethod();
  }

  @Override
  public HttpContext getHttpContext() {
    return real.getHttpContext();
  }

  @Override
  public InputStream getRequestBody() {
    return real.getRequestBody();
  }

  @Override
  public InetSocketAddress getRemoteAddress() {
    return real.getRemoteAddress();
  }

  @Override
  public InetSocketAddress getLocalAddress() {
    return real.getLocalAddress();
  }

  @Override
  public String getProtocol() {
    return real.getProtocol();
  }

  @Override
  public Object getAttribute(String name) {
    return real.getAttribute(name);
  }

  @Override
  public void setAttribute(String name, @Nullable Object value) {
    real.setAttribute(name, value);
  }

  @Override
  public void setStreams(@Nullable InputStream input, @Nullable OutputStream output) {
    real.setStreams(input, output);
  }

  @Override
  public @Nullable HttpPrincipal getPrincipal() {
    return real.getPrincipal();
  }
}
