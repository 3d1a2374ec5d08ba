package dev.mayfly.arch.walk;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.cloud.functions.HttpRequest;
import com.google.cloud.functions.HttpResponse;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One call of an agent, as the functions framework hands it over. */
final class WalkHttp {
  private WalkHttp() {}

  record Request(byte[] body) implements HttpRequest {
    @Override
    public String getMethod() {
      return "POST";
    }

    @Override
    public String getUri() {
      return "/v1/sync";
    }

    @Override
    public String getPath() {
      return "/v1/sync";
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
      return new ByteArrayInputStream(body);
    }

    @Override
    public BufferedReader getReader() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Map<String, List<String>> getHeaders() {
      return Map.of();
    }
  }

  static final class Response implements HttpResponse {
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    byte[] body() {
      return body.toByteArray();
    }

    @Override
    public void setStatusCode(int code) {
      if (code != 200) throw new IllegalStateException("status " + code);
    }

    @Override
    public void setStatusCode(int code, String message) {
      setStatusCode(code);
    }

    @Override
    public void setContentType(String contentType) {}

    @Override
    public Optional<String> getContentType() {
      return Optional.empty();
    }

    @Override
    public void appendHeader(String header, String value) {}

    @Override
    public Map<String, List<String>> getHeaders() {
      return Map.of();
    }

    @Override
    public OutputStream getOutputStream() {
      return body;
    }

    @Override
    public BufferedWriter getWriter() {
      return new BufferedWriter(new OutputStreamWriter(body, UTF_8));
    }
  }
}
