package dev.mayfly.local.cloud.storage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.net.httpserver.HttpHandler;
import dev.mayfly.local.cloud.rest.Call;
import dev.mayfly.local.cloud.rest.Refused;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.UUID;

/**
 * Many calls in one request: each part of the body is a request, and each of the answer's a reply.
 */
final class Batch {
  /** Of the service. */
  private static final int MOST = 100;

  private static final int CAP = 10 << 20;

  private Batch() {}

  /**
   * @param calls answers each of them
   */
  static void answer(Call call, HttpHandler calls) throws IOException {
    if (!call.method().equals("POST"))
      throw new Refused(405, "methodNotAllowed", call.method() + " is no method of a batch");
    var parts = Multipart.of(call.header("Content-Type").orElse(""), call.bytes(CAP)).parts();
    if (parts.size() > MOST)
      throw Refused.invalid("A batch has at most %d calls, not %d".formatted(MOST, parts.size()));
    var boundary = "batch_" + UUID.randomUUID();
    var answer = new ByteArrayOutputStream();
    for (var part : parts) {
      var one = BatchedCall.of(part, call);
      calls.handle(one);
      write(answer, "--" + boundary + "\r\nContent-Type: application/http\r\n");
      var id = part.header("Content-ID");
      if (id.isPresent()) write(answer, "Content-ID: " + replyTo(id.get()) + "\r\n");
      write(answer, "\r\n");
      one.writeReply(answer);
      write(answer, "\r\n");
    }
    write(answer, "--" + boundary + "--\r\n");
    call.answerHeader("Content-Type", "multipart/mixed; boundary=" + boundary);
    call.answer(200, new ByteArrayInputStream(answer.toByteArray()), answer.size());
  }

  private static String replyTo(String id) {
    return id.startsWith("<") ? "<response-" + id.substring(1) : "response-" + id;
  }

  private static void write(ByteArrayOutputStream answer, String text) {
    answer.writeBytes(text.getBytes(ISO_8859_1));
  }
}
