package dev.mayfly.local.storage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.http.Route;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.UUID;

/** Batches: each part of the body is a request, and each part of the answer is a reply. */
final class BatchHandler {
  /** The service's limit. */
  private static final int MAX_CALLS = 100;

  private static final int CAP = 10 << 20;

  private BatchHandler() {}

  /**
   * @param calls handles each call
   */
  static void answer(RestCall restCall, Route calls) throws IOException {
    if (!restCall.method().equals("POST"))
      throw new ApiError(
          405, "methodNotAllowed", restCall.method() + " is not a method of a batch");
    var parts =
        MultipartBody.of(restCall.header("Content-Type").orElse(""), restCall.bytes(CAP)).parts();
    if (parts.size() > MAX_CALLS)
      throw ApiError.invalid(
          "A batch has at most %d calls, not %d".formatted(MAX_CALLS, parts.size()));
    var boundary = "batch_" + UUID.randomUUID();
    var answer = new ByteArrayOutputStream();
    for (var part : parts) {
      var one = BatchedCall.of(part, restCall);
      calls.answer(one.restCall());
      write(answer, "--" + boundary + "\r\nContent-Type: application/http\r\n");
      var id = part.header("Content-ID");
      if (id.isPresent()) write(answer, "Content-ID: " + replyTo(id.get()) + "\r\n");
      write(answer, "\r\n");
      one.writeReply(answer);
      write(answer, "\r\n");
    }
    write(answer, "--" + boundary + "--\r\n");
    restCall.answerHeader("Content-Type", "multipart/mixed; boundary=" + boundary);
    restCall.answer(200, new ByteArrayInputStream(answer.toByteArray()), answer.size());
  }

  private static String replyTo(String id) {
    return id.startsWith("<") ? "<response-" + id.substring(1) : "response-" + id;
  }

  private static void write(ByteArrayOutputStream answer, String text) {
    answer.writeBytes(text.getBytes(ISO_8859_1));
  }
}
