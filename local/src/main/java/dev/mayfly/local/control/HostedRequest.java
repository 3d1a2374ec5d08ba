package dev.mayfly.local.control;

import com.google.cloud.functions.HttpRequest;
import com.sun.net.httpserver.HttpExchange;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Adapts a request of the JDK's server to the Functions Framework. */
final class HostedRequest implements HttpRequest {
  private final HttpExchange exchange;

  HostedRequest(HttpExchange exchange) {
    this.exchange = exchange;
  }

  @Override
  public String getMethod() {
    return exchange.getRequestMethod();
  }

  @Override
  public String getUri() {
    return exchange.getRequestURI().toString();
  }

  @Override
  public String getPath() {
    return exchange.getRequestURI().getPath();
  }

  @Override
  public Optional<String> getQuery() {
    return Optional.ofNullable(exchange.getRequestURI().getRawQuery());
  }

  @Override
  public Map<String, List<String>> getQueryParameters() {
    var parameters = new LinkedHashMap<String, List<String>>();
    for (var pair : getQuery().orElse("").split("&")) {
      if (pair.isEmpty()) continue;
      var equals = pair.indexOf('=');
      var name = equals < 0 ? pair : pair.substring(0, equals);
      var value = equals < 0 ? "" : pair.substring(equals + 1);
      parameters.computeIfAbsent(decoded(name), n -> new ArrayList<>()).add(decoded(value));
    }
    return parameters;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  @Override
  public Map<String, HttpPart> getParts() {
    throw new IllegalStateException("Mayfly's entry points take no multipart forms");
  }

  @Override
  public Optional<String> getContentType() {
    return getFirstHeader("Content-Type");
  }

  @Override
  public long getContentLength() {
    return getFirstHeader("Content-Length").map(Long::parseLong).orElse(-1L);
  }

  @Override
  public Optional<String> getCharacterEncoding() {
    return Optional.of("UTF-8");
  }

  @Override
  public InputStream getInputStream() {
    return exchange.getRequestBody();
  }

  @Override
  public BufferedReader getReader() {
    return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
  }

  @Override
  public Map<String, List<String>> getHeaders() {
    return exchange.getRequestHeaders();
  }
}
