package dev.mayfly.local.cloud.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.local.cloud.rest.Call;
import dev.mayfly.local.cloud.rest.Refused;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/**
 * The reads of the XML interface, {@code GET /BUCKET/OBJECT}: some clients read objects so and do
 * all else by the JSON interface.
 */
final class XmlObjects {
  private final Buckets buckets;

  XmlObjects(Buckets buckets) {
    this.buckets = buckets;
  }

  void answer(Call call) throws IOException {
    try {
      read(call);
    } catch (Refused e) {
      if (e.status() == 304) throw e;
      refuse(call, e);
    }
  }

  private void read(Call call) throws IOException {
    var path = call.path();
    var name = String.join("/", path.subList(1, path.size()));
    if (!call.method().equals("GET") && !call.method().equals("HEAD"))
      throw new Refused(
          405,
          "MethodNotAllowed",
          "The laptop cloud's XML interface only reads; use the JSON interface for "
              + call.method());
    if (path.getFirst().isEmpty() || name.isEmpty())
      throw new Refused(
          400,
          "InvalidArgument",
          "The laptop cloud's XML interface reads objects only; use the JSON interface for buckets");
    var bucket = buckets.get(path.getFirst());
    var conditions = Conditions.ofHeaders(call);
    if (call.method().equals("HEAD")) head(call, bucket, name, conditions);
    else Download.answer(call, bucket, name, conditions);
  }

  private static void head(Call call, Bucket bucket, String name, Conditions conditions)
      throws IOException {
    var object = bucket.get(name, ObjectCalls.generation(call));
    conditions.checkRead(object);
    Download.describe(call, object);
    call.answerHeader("Content-Length", Long.toString(object.size()));
    call.answer(200);
  }

  private static void refuse(Call call, Refused e) throws IOException {
    var code = e.reason().equals("notFound") ? notFound(call) : e.reason();
    var body =
        "<?xml version='1.0' encoding='UTF-8'?><Error><Code>%s</Code><Message>%s</Message></Error>"
            .formatted(code, escaped(String.valueOf(e.getMessage())))
            .getBytes(UTF_8);
    call.answerHeader("Content-Type", "application/xml; charset=UTF-8");
    call.answer(e.status(), new ByteArrayInputStream(body), body.length);
  }

  private static String notFound(Call call) {
    return call.path().size() == 1 ? "NoSuchBucket" : "NoSuchKey";
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
