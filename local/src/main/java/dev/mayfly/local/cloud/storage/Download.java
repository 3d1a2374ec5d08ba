package dev.mayfly.local.cloud.storage;

import dev.mayfly.local.cloud.rest.Call;
import dev.mayfly.local.cloud.rest.Refused;
import java.io.IOException;
import java.util.regex.Pattern;

/** An object's content, whole or a part of it. */
final class Download {
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d*)-(\\d*)");

  private Download() {}

  static void answer(Call call, Bucket bucket, String name) throws IOException {
    var opened = bucket.open(name, ObjectCalls.generation(call));
    try (var content = opened.content()) {
      var object = opened.object();
      Conditions.of(call).checkRead(object);
      var part = part(call, object.size());
      describe(call, object);
      if (part.whole()) {
        call.answer(200, content, object.size());
        return;
      }
      content.skipNBytes(part.from());
      call.answerHeader(
          "Content-Range", "bytes " + part.from() + "-" + part.last() + "/" + object.size());
      call.answer(206, content, part.last() - part.from() + 1);
    }
  }

  private record Part(long from, long last, boolean whole) {}

  private static Part part(Call call, long size) {
    var range = RANGE.matcher(call.header("Range").orElse(""));
    if (!range.matches() || (range.group(1).isEmpty() && range.group(2).isEmpty()))
      return new Part(0, size - 1, true);
    if (range.group(1).isEmpty())
      return new Part(Math.max(0, size - Long.parseLong(range.group(2))), size - 1, false);
    var from = Long.parseLong(range.group(1));
    var last =
        range.group(2).isEmpty() ? size - 1 : Math.min(size - 1, Long.parseLong(range.group(2)));
    if (from >= size || from > last) {
      call.answerHeader("Content-Range", "bytes */" + size);
      throw new Refused(
          416,
          "requestedRangeNotSatisfiable",
          "The requested range cannot be satisfied: there are " + size + " bytes");
    }
    return new Part(from, last, false);
  }

  private static void describe(Call call, StoredObject object) {
    call.answerHeader(
        "Content-Type", object.headers().getOrDefault("contentType", "application/octet-stream"));
    call.answerHeader("ETag", Resources.etag(object));
    call.answerHeader("X-Goog-Generation", Long.toString(object.generation()));
    call.answerHeader("X-Goog-Metageneration", Long.toString(object.metageneration()));
    call.answerHeader("X-Goog-Stored-Content-Length", Long.toString(object.size()));
    call.answerHeader("X-Goog-Stored-Content-Encoding", "identity");
    call.answerHeader("X-Goog-Storage-Class", "STANDARD");
    var md5 = object.md5().isEmpty() ? "" : ",md5=" + object.md5();
    call.answerHeader("X-Goog-Hash", "crc32c=" + object.crc32c() + md5);
  }
}
