package dev.mayfly.local.storage;

import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.storage.bucket.Bucket;
import dev.mayfly.local.storage.bucket.BucketFolders;
import dev.mayfly.local.storage.bucket.ObjectAttributes;
import dev.mayfly.local.storage.bucket.ObjectRights;
import dev.mayfly.local.storage.bucket.RequestPreconditions;
import dev.mayfly.local.storage.bucket.StagedContent;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/** Uploads of objects: in one request ({@code media}, {@code multipart}) or resumable. */
final class UploadHandler {
  /** The limit for in-memory uploads; larger objects need resumable uploads. */
  private static final int CAP = 64 << 20;

  private final BucketFolders bucketFolders;
  private final Function<RestCall, ObjectRights> rights;
  private final ResumableUploads resumable = new ResumableUploads();

  UploadHandler(BucketFolders bucketFolders, Function<RestCall, ObjectRights> rights) {
    this.bucketFolders = bucketFolders;
    this.rights = rights;
  }

  /** {@code b/BUCKET/o}. */
  void answer(RestCall restCall, List<String> path) throws IOException {
    if (path.size() != 3 || !path.getFirst().equals("b") || !path.getLast().equals("o"))
      throw ApiError.notFound("No such upload address: /" + String.join("/", restCall.path()));
    var bucket = bucketFolders.forWriting(path.get(1)).as(rights.apply(restCall));
    switch (restCall.query("uploadType").orElse("")) {
      case "media" -> media(restCall, bucket);
      case "multipart" -> multipart(restCall, bucket);
      case "resumable" -> resumable.answer(restCall, bucket);
      default -> throw ApiError.invalid("uploadType must be media, multipart or resumable");
    }
  }

  private void media(RestCall restCall, Bucket bucket) throws IOException {
    var resource = RestCall.JSON.createObjectNode();
    restCall.header("Content-Type").ifPresent(type -> resource.put("contentType", type));
    try (var body = restCall.body()) {
      store(restCall, bucket, resource, StagedContent.copied(body, bucket.temp()));
    }
  }

  private void multipart(RestCall restCall, Bucket bucket) throws IOException {
    var parts = MultipartBody.of(restCall.header("Content-Type").orElse(""), restCall.bytes(CAP));
    var resource = parts.resource();
    var content = parts.content();
    if (!resource.has("contentType"))
      content.header("Content-Type").ifPresent(type -> resource.put("contentType", type));
    store(restCall, bucket, resource, StagedContent.copied(content.content(), bucket.temp()));
  }

  /** Adds parameters that describe the object, unless the resource has the field. */
  static void addParameters(RestCall restCall, ObjectNode resource) {
    if (!resource.has("contentEncoding"))
      restCall.query("contentEncoding").ifPresent(e -> resource.put("contentEncoding", e));
  }

  private static void store(
      RestCall restCall, Bucket bucket, ObjectNode resource, StagedContent stagedContent)
      throws IOException {
    try {
      addParameters(restCall, resource);
      stagedContent.verify(resource);
      var name = name(restCall, resource);
      var made =
          bucket.put(
              name,
              stagedContent,
              ObjectAttributes.of(resource),
              RequestPreconditions.of(restCall));
      restCall.answer(200, ResourceJson.object(restCall.origin(), bucket.name(), made));
    } finally {
      stagedContent.discard();
    }
  }

  /** The object's name, from the parameter or the resource. */
  static String name(RestCall restCall, ObjectNode resource) {
    return checkedName(restCall.query("name").orElse(resource.path("name").asString("")));
  }

  static String checkedName(String name) {
    if (name.isEmpty()) throw new ApiError(400, "required", "Required parameter: name");
    if (ObjectNames.bytes(name) > ObjectNames.LONGEST)
      throw ApiError.invalid("The object's name is longer than 1024 bytes");
    if (!isLegalName(name))
      throw ApiError.invalid("Disallowed object name: '" + ObjectNames.printable(name) + "'");
    return name;
  }

  /**
   * Whether a name of valid length can be an object's name: people may create files that are not
   * objects.
   */
  static boolean isLegalName(String name) {
    return !name.equals(".")
        && !name.equals("..")
        && name.chars().noneMatch(c -> c == 0 || c == '\r' || c == '\n');
  }
}
