package dev.mayfly.functions.handler;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.cloud.functions.HttpRequest;
import com.google.cloud.functions.HttpResponse;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One call and its response. */
final class TestHttp {
  private TestHttp() {}

  /** A POST that counts how much of its body is read. */
  static final class Request implements HttpRequest {
    private final String path;
    private final Map<String, List<String>> headers;
    private final byte[] body;
    int read;

    Request(String path, String authorization, String body) {
      this.path = path;
      this.body = body.getBytes(UTF_8);
      headers =
          authorization.isEmpty() ? Map.of() : Map.of("Authorization", List.of(authorization));
    }

    @Override
    public String getMethod() {
      return "POST";
    }

    @Override
    public String getUri() {
      return path;
    }

    @Override
    public String getPath() {
      return path;
    }

    @Override
    public Optional<String> getQuery() {
      return Optional.empty();
    }

    @Override
    public Map<String, List<String>> getQueryParameters() {
      return Map.of();
    }

    @Override
    public Map<String, HttpPart> getParts() {
      return Map.of();
    }

    @Override
    public Optional<String> getContentType() {
      return Optional.of("application/json");
    }

    @Override
    public long getContentLength() {
      return body.length;
    }

    @Override
    public Optional<String> getCharacterEncoding() {
      return Optional.empty();
    }

    @Override
    public InputStream getInputStream() {
      read++;
      return new ByteArrayInputStream(body);
    }

    @Override
    public BufferedReader getReader() {
      throw new IllegalStateException("bodies are read as bytes");
    }

    @Override
    public Map<String, List<String>> getHeaders() {
      return headers;
    }
  }

  /** A recorded response. */
  static final class Response implements HttpResponse {
    int status = 200;
    final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    String text() {
      return body.toString(UTF_8);
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
    public void setContentType(String contentType) {
      appendHeader("Content-Type", contentType);
    }

    @Override
    public Optional<String> getContentType() {
      return Optional.ofNullable(headers.get("Content-Type")).map(List::getLast);
    }

    @Override
    public void appendHeader(String header, String value) {
      headers.computeIfAbsent(header, _ -> new ArrayList<>()).add(value);
    }

    @Override
    public Map<String, List<String>> getHeaders() {
      return headers;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return body;
    }

    @Override
    public BufferedWriter getWriter() throws IOException {
      return new BufferedWriter(new OutputStreamWriter(body, UTF_8));
    }
  }
}
