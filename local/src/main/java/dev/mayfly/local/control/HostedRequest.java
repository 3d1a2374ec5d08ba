package dev.mayfly.local.control;

import com.google.cloud.functions.HttpRequest;
import dev.mayfly.local.http.RestCall;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Adapts a request of the JDK's server to the Functions Framework. */
final class HostedRequest implements HttpRequest {
  private final RestCall restCall;

  HostedRequest(RestCall restCall) {
    this.restCall = restCall;
  }

  @Override
  public String getMethod() {
    return restCall.method();
  }

  @Override
  public String getUri() {
    return restCall.uri().toString();
  }

  @Override
  public String getPath() {
    return restCall.uri().getPath();
  }

  @Override
  public Optional<String> getQuery() {
    return restCall.rawQuery();
  }

  @Override
  public Map<String, List<String>> getQueryParameters() {
    return restCall.parameters().all();
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
    return getFirstHeader("Content-Length")
        .filter(text -> text.matches("[0-9]{1,18}"))
        .map(Long::parseLong)
        .orElse(-1L);
  }

  @Override
  public Optional<String> getCharacterEncoding() {
    return Optional.of("UTF-8");
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return restCall.body();
  }

  @Override
  public BufferedReader getReader() throws IOException {
    return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
  }

  @Override
  public Map<String, List<String>> getHeaders() {
    return restCall.headers();
  }
}
