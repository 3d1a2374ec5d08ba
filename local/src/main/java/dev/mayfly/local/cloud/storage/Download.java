package dev.mayfly.local.cloud.storage;

import dev.mayfly.local.cloud.rest.Call;
import dev.mayfly.local.cloud.rest.Refused;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** An object's content, whole or a part of it. */
final class Download {
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d*)-(\\d*)");

  private static final Map<String, String> NAMES =
      Map.of(
          "cacheControl", "Cache-Control",
          "contentDisposition", "Content-Disposition",
          "contentLanguage", "Content-Language");

  private Download() {}

  static void answer(Call call, Bucket bucket, String name) throws IOException {
    answer(call, bucket, name, Conditions.of(call));
  }

  /** An object that is kept as gzip is unpacked for those who do not ask for gzip. */
  static void answer(Call call, Bucket bucket, String name, Conditions conditions)
      throws IOException {
    var opened = bucket.open(name, ObjectCalls.generation(call));
    try (var content = opened.content()) {
      var object = opened.object();
      conditions.checkRead(object);
      describe(call, object);
      if (encoding(object).equals("gzip") && !takesGzip(call, object)) {
        unpack(call, content);
        return;
      }
      if (!encoding(object).equals("identity"))
        call.answerHeader("Content-Encoding", encoding(object));
      stored(call, object, content);
    }
  }

  /** The bytes that are stored, or a part of them. */
  private static void stored(Call call, StoredObject object, InputStream content)
      throws IOException {
    var part = part(call, object.size());
    if (part.whole()) {
      call.answer(200, content, object.size());
      return;
    }
    content.skipNBytes(part.from());
    call.answerHeader(
        "Content-Range", "bytes " + part.from() + "-" + part.last() + "/" + object.size());
    call.answer(206, content, part.last() - part.from() + 1);
  }

  private static String encoding(StoredObject object) {
    return object.headers().getOrDefault("contentEncoding", "identity");
  }

  private static boolean takesGzip(Call call, StoredObject object) {
    return call.header("Accept-Encoding").filter(e -> e.contains("gzip")).isPresent()
        || object.headers().getOrDefault("cacheControl", "").contains("no-transform");
  }

  /**
   * For those who do not ask for gzip; a wanted part is not heeded. What is no gzip goes as it is.
   */
  private static void unpack(Call call, InputStream content) throws IOException {
    var in = new BufferedInputStream(content);
    in.mark(2);
    var magic = in.readNBytes(2);
    in.reset();
    call.answerHeader("Warning", "214 UploadServer gunzipped");
    call.answerHeader("Vary", "Accept-Encoding");
    var gzip = magic.length == 2 && magic[0] == 0x1f && (magic[1] & 0xff) == 0x8b;
    call.answerAll(200, gzip ? new GZIPInputStream(in) : in);
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

  /** What the headers of every answer with an object's content say; also of one without it. */
  static void describe(Call call, StoredObject object) {
    var headers = object.headers();
    call.answerHeader(
        "Content-Type", headers.getOrDefault("contentType", "application/octet-stream"));
    call.answerHeader("ETag", Resources.etag(object));
    call.answerHeader("X-Goog-Generation", Long.toString(object.generation()));
    call.answerHeader("X-Goog-Metageneration", Long.toString(object.metageneration()));
    call.answerHeader("X-Goog-Stored-Content-Length", Long.toString(object.size()));
    call.answerHeader("X-Goog-Stored-Content-Encoding", encoding(object));
    call.answerHeader("X-Goog-Storage-Class", "STANDARD");
    call.addAnswerHeader("X-Goog-Hash", "crc32c=" + object.crc32c());
    if (!object.md5().isEmpty()) call.addAnswerHeader("X-Goog-Hash", "md5=" + object.md5());
    NAMES.forEach((name, header) -> {
      if (headers.containsKey(name)) call.answerHeader(header, headers.get(name));
    });
  }
}
