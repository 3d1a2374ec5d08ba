package dev.mayfly.local.storage;

import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.storage.bucket.Bucket;
import dev.mayfly.local.storage.bucket.RequestPreconditions;
import dev.mayfly.local.storage.bucket.StoredObject;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** Answers with an object's content, whole or in part. */
final class DownloadHandler {
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d*)-(\\d*)");

  private static final int LONGEST_OFFSET = 18;

  private static final Map<String, String> NAMES =
      Map.of(
          "cacheControl", "Cache-Control",
          "contentDisposition", "Content-Disposition",
          "contentLanguage", "Content-Language");

  private DownloadHandler() {}

  static void answer(RestCall restCall, Bucket bucket, String name) throws IOException {
    answer(restCall, bucket, name, RequestPreconditions.of(restCall));
  }

  /** Unpacks an object stored as gzip unless the client accepts gzip. */
  static void answer(
      RestCall restCall, Bucket bucket, String name, RequestPreconditions requestPreconditions)
      throws IOException {
    var opened = bucket.open(name, ObjectHandler.generation(restCall));
    try (var content = opened.content()) {
      var object = opened.object();
      requestPreconditions.checkRead(object);
      describe(restCall, object);
      if (encoding(object).equals("gzip") && !takesGzip(restCall, object)) {
        unpack(restCall, content);
        return;
      }
      if (!encoding(object).equals("identity"))
        restCall.answerHeader("Content-Encoding", encoding(object));
      stored(restCall, object, content);
    }
  }

  /** Answers with the stored bytes, or a range of them. */
  private static void stored(RestCall restCall, StoredObject object, InputStream content)
      throws IOException {
    var part = part(restCall, object.size());
    if (part.whole()) {
      restCall.answer(200, content, object.size());
      return;
    }
    content.skipNBytes(part.from());
    restCall.answerHeader(
        "Content-Range", "bytes " + part.from() + "-" + part.last() + "/" + object.size());
    restCall.answer(206, content, part.last() - part.from() + 1);
  }

  private static String encoding(StoredObject object) {
    return object.headers().getOrDefault("contentEncoding", "identity");
  }

  private static boolean takesGzip(RestCall restCall, StoredObject object) {
    return restCall.header("Accept-Encoding").filter(e -> e.contains("gzip")).isPresent()
        || object.headers().getOrDefault("cacheControl", "").contains("no-transform");
  }

  /**
   * Answers with unpacked content and ignores a range. Content that is not gzip is sent unchanged.
   */
  private static void unpack(RestCall restCall, InputStream content) throws IOException {
    var in = new BufferedInputStream(content);
    in.mark(2);
    var magic = in.readNBytes(2);
    in.reset();
    restCall.answerHeader("Warning", "214 UploadServer gunzipped");
    restCall.answerHeader("Vary", "Accept-Encoding");
    var gzip = magic.length == 2 && magic[0] == 0x1f && (magic[1] & 0xff) == 0x8b;
    restCall.answerAll(200, gzip ? new GZIPInputStream(in) : in);
  }

  private record Part(long from, long last, boolean whole) {}

  private static Part part(RestCall restCall, long size) {
    var range = RANGE.matcher(restCall.header("Range").orElse(""));
    if (!range.matches() || (range.group(1).isEmpty() && range.group(2).isEmpty()))
      return new Part(0, size - 1, true);
    if (range.group(1).isEmpty())
      return new Part(Math.max(0, size - offset(range.group(2))), size - 1, false);
    var from = offset(range.group(1));
    var last = range.group(2).isEmpty() ? size - 1 : Math.min(size - 1, offset(range.group(2)));
    if (from >= size || from > last) {
      restCall.answerHeader("Content-Range", "bytes */" + size);
      throw new ApiError(
          416,
          "requestedRangeNotSatisfiable",
          "The requested range cannot be satisfied: there are " + size + " bytes");
    }
    return new Part(from, last, false);
  }

  /** Beyond the end of every object if it has more digits than an offset. */
  private static long offset(String digits) {
    return digits.length() > LONGEST_OFFSET ? Long.MAX_VALUE : Long.parseLong(digits);
  }

  /** Adds the headers that describe an object's content. */
  static void describe(RestCall restCall, StoredObject object) {
    var headers = object.headers();
    restCall.answerHeader(
        "Content-Type", headers.getOrDefault("contentType", "application/octet-stream"));
    restCall.answerHeader("ETag", ResourceJson.etag(object));
    restCall.answerHeader("X-Goog-Generation", Long.toString(object.generation()));
    restCall.answerHeader("X-Goog-Metageneration", Long.toString(object.metageneration()));
    restCall.answerHeader("X-Goog-Stored-Content-Length", Long.toString(object.size()));
    restCall.answerHeader("X-Goog-Stored-Content-Encoding", encoding(object));
    restCall.answerHeader("X-Goog-Storage-Class", "STANDARD");
    restCall.answerHeaders().add("X-Goog-Hash", "crc32c=" + object.crc32c());
    if (!object.md5().isEmpty()) restCall.answerHeaders().add("X-Goog-Hash", "md5=" + object.md5());
    NAMES.forEach((name, header) -> {
      if (headers.containsKey(name)) restCall.answerHeader(header, headers.get(name));
    });
  }
}
