package dev.mayfly.local.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;

/**
 * An exchange whose answer goes nowhere; closing the real one then ends the connection without a
 * reply.
 */
final class LostReplyExchange extends HttpExchange {
  private final HttpExchange real;
  private final Headers answerHeaders = new Headers();
  private int status = -1;

  LostReplyExchange(HttpExchange real) {
    this.real = real;
  }

  @Override
  public Headers getRequestHeaders() {
    return real.getRequestHeaders();
  }

  @Override
  public Headers getResponseHeaders() {
    return answerHeaders;
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
  public void close() {
    real.close();
  }

  @Override
  public InputStream getRequestBody() {
    return real.getRequestBody();
  }

  @Override
  public OutputStream getResponseBody() {
    return OutputStream.nullOutputStream();
  }

  @Override
  public void sendResponseHeaders(int code, long length) {
    status = code;
  }

  @Override
  public InetSocketAddress getRemoteAddress() {
    return real.getRemoteAddress();
  }

  @Override
  public int getResponseCode() {
    return status;
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
  public void setAttribute(String name, Object value) {
    real.setAttribute(name, value);
  }

  @Override
  public void setStreams(InputStream in, OutputStream out) {
    real.setStreams(in, out);
  }

  @Override
  public HttpPrincipal getPrincipal() {
    return real.getPrincipal();
  }
}
