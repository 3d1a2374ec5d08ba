package dev.mayfly.local.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.storage.bucket.Bucket;
import dev.mayfly.local.storage.bucket.BucketFolders;
import dev.mayfly.local.storage.bucket.RequestPreconditions;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/**
 * The reads of the XML API, {@code GET /BUCKET/OBJECT}: some clients read objects by it and use the
 * JSON API for all else.
 */
final class XmlApi {
  private final BucketFolders bucketFolders;

  XmlApi(BucketFolders bucketFolders) {
    this.bucketFolders = bucketFolders;
  }

  void answer(RestCall restCall) throws IOException {
    try {
      read(restCall);
    } catch (ApiError e) {
      if (e.status() == 304) throw e;
      refuse(restCall, e);
    }
  }

  private void read(RestCall restCall) throws IOException {
    var path = restCall.path();
    var name = String.join("/", path.subList(1, path.size()));
    if (!restCall.method().equals("GET") && !restCall.method().equals("HEAD"))
      throw new ApiError(
          405,
          "MethodNotAllowed",
          "The laptop cloud's XML API only reads; use the JSON API for " + restCall.method());
    if (path.getFirst().isEmpty() || name.isEmpty())
      throw new ApiError(
          400,
          "InvalidArgument",
          "The laptop cloud's XML API reads objects only; use the JSON API for buckets");
    var bucket = bucketFolders.get(path.getFirst());
    var requestPreconditions = RequestPreconditions.ofHeaders(restCall);
    if (restCall.method().equals("HEAD")) head(restCall, bucket, name, requestPreconditions);
    else DownloadHandler.answer(restCall, bucket, name, requestPreconditions);
  }

  private static void head(
      RestCall restCall, Bucket bucket, String name, RequestPreconditions requestPreconditions)
      throws IOException {
    var object = bucket.get(name, ObjectHandler.generation(restCall));
    requestPreconditions.checkRead(object);
    DownloadHandler.describe(restCall, object);
    restCall.answerHeader("Content-Length", Long.toString(object.size()));
    restCall.answer(200);
  }

  private static void refuse(RestCall restCall, ApiError e) throws IOException {
    var code = e.reason().equals("notFound") ? notFound(restCall) : e.reason();
    var body =
        "<?xml version='1.0' encoding='UTF-8'?><Error><Code>%s</Code><Message>%s</Message></Error>"
            .formatted(code, escaped(String.valueOf(e.getMessage())))
            .getBytes(UTF_8);
    restCall.answerHeader("Content-Type", "application/xml; charset=UTF-8");
    restCall.answer(e.status(), new ByteArrayInputStream(body), body.length);
  }

  private static String notFound(RestCall restCall) {
    return restCall.path().size() == 1 ? "NoSuchBucket" : "NoSuchKey";
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
