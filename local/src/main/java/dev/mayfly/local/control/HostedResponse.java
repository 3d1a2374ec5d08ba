package dev.mayfly.local.control;

import com.google.cloud.functions.HttpResponse;
import dev.mayfly.local.http.RestCall;
import java.io.BufferedWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A function's response, buffered until it is complete and then sent by the JDK's server. */
final class HostedResponse implements HttpResponse {
  private final RestCall restCall;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private int status = 200;
  private final BufferedWriter writer =
      new BufferedWriter(new OutputStreamWriter(body, StandardCharsets.UTF_8));

  HostedResponse(RestCall restCall) {
    this.restCall = restCall;
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
  public void setContentType(String type) {
    restCall.answerHeaders().set("Content-Type", type);
  }

  @Override
  public Optional<String> getContentType() {
    return Optional.ofNullable(restCall.answerHeaders().getFirst("Content-Type"));
  }

  @Override
  public void appendHeader(String header, String value) {
    restCall.answerHeaders().add(header, value);
  }

  @Override
  public Map<String, List<String>> getHeaders() {
    return restCall.answerHeaders();
  }

  @Override
  public OutputStream getOutputStream() {
    return body;
  }

  @Override
  public BufferedWriter getWriter() {
    return writer;
  }

  void send() throws IOException {
    writer.flush();
    restCall.answer(status, body.toByteArray());
  }
}
