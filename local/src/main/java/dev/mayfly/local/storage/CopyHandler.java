package dev.mayfly.local.storage;

import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.storage.bucket.Bucket;
import dev.mayfly.local.storage.bucket.BucketFolders;
import dev.mayfly.local.storage.bucket.ObjectAttributes;
import dev.mayfly.local.storage.bucket.ObjectRights;
import dev.mayfly.local.storage.bucket.RequestPreconditions;
import dev.mayfly.local.storage.bucket.StagedContent;
import dev.mayfly.local.storage.bucket.StoredObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Objects made from others: copied, rewritten (here a copy in one step), moved or composed. */
final class CopyHandler {
  private static final int MOST_PARTS = 32;

  private final BucketFolders bucketFolders;
  private final Function<RestCall, ObjectRights> rights;

  CopyHandler(BucketFolders bucketFolders, Function<RestCall, ObjectRights> rights) {
    this.bucketFolders = bucketFolders;
    this.rights = rights;
  }

  /**
   * Answers {@code copyTo} and {@code rewriteTo}.
   *
   * @param path {@code b/BUCKET/o/SOURCE/copyTo/b/BUCKET/o/NAME}
   */
  void copy(RestCall restCall, Bucket from, List<String> path) throws IOException {
    var target = bucketFolders.forWriting(path.get(6)).as(rights.apply(restCall));
    var resource = restCall.json(1 << 20);
    var generation =
        restCall.number("sourceGeneration").or(() -> restCall.number("ifSourceGenerationMatch"));
    var opened = from.open(path.get(3), generation);
    StagedContent stagedContent;
    try (var content = opened.content()) {
      stagedContent = StagedContent.copied(content, target.temp());
    }
    var objectAttributes = opened.object().attributes();
    if (!resource.isEmpty()) objectAttributes = objectAttributes.patched(resource);
    var made = put(target, path.get(8), stagedContent, objectAttributes, restCall);
    var answer = ResourceJson.object(restCall.origin(), target.name(), made);
    restCall.answer(200, path.get(4).equals("copyTo") ? answer : rewritten(answer, made.size()));
  }

  /**
   * Answers {@code moveTo}: renames the object within its bucket.
   *
   * @param path {@code b/BUCKET/o/SOURCE/moveTo/o/NAME}
   */
  void move(RestCall restCall, Bucket bucket, List<String> path) throws IOException {
    var name = path.get(3);
    if (name.equals(path.get(6)))
      throw ApiError.invalid("An object cannot be moved to its own name, " + name);
    bucket.rights().checkReplace(bucket.name(), name);
    var opened = bucket.open(name, Optional.empty());
    var source = opened.object();
    StagedContent stagedContent;
    try (var content = opened.content()) {
      RequestPreconditions.ofSource(restCall).check(Optional.of(source));
      stagedContent = StagedContent.copied(content, bucket.temp());
    }
    var made = put(bucket, path.get(6), stagedContent, source.attributes(), restCall);
    bucket.delete(name, Optional.of(source.generation()), RequestPreconditions.NONE);
    restCall.answer(200, ResourceJson.object(restCall.origin(), bucket.name(), made));
  }

  private static ObjectNode rewritten(ObjectNode resource, long size) {
    var node = RestCall.JSON.createObjectNode().put("kind", "storage#rewriteResponse");
    node.put("totalBytesRewritten", Long.toString(size)).put("objectSize", Long.toString(size));
    node.put("done", true).set("resource", resource);
    return node;
  }

  /** {@code …/o/NAME/compose}. */
  void compose(RestCall restCall, Bucket bucket, String name) throws IOException {
    var request = restCall.json(1 << 20);
    var sources = request.path("sourceObjects");
    if (sources.isEmpty() || sources.size() > MOST_PARTS)
      throw ApiError.invalid(
          "compose takes 1 to " + MOST_PARTS + " objects, not " + sources.size());
    var temp = bucket.temp();
    Files.createDirectories(temp.getParent());
    try {
      for (var source : sources) append(bucket, source, temp);
      var sums = StagedContent.of(temp);
      // Like on the service, a composed object has no MD5.
      var stagedContent = new StagedContent(temp, sums.size(), sums.crc32c(), "");
      var made =
          put(
              bucket,
              name,
              stagedContent,
              ObjectAttributes.of(request.path("destination")),
              restCall);
      restCall.answer(200, ResourceJson.object(restCall.origin(), bucket.name(), made));
    } finally {
      Files.deleteIfExists(temp);
    }
  }

  private static void append(Bucket bucket, JsonNode source, java.nio.file.Path temp)
      throws IOException {
    var wanted = source.path("objectPreconditions").path("ifGenerationMatch").asString("");
    var exact = source.path("generation").asString(wanted);
    var generation =
        exact.isEmpty()
            ? Optional.<Long>empty()
            : Optional.of(RestCall.wholeNumber("generation", exact));
    try (var content = bucket.open(source.path("name").asString(""), generation).content();
        var out =
            Files.newOutputStream(temp, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      content.transferTo(out);
    }
  }

  private static StoredObject put(
      Bucket bucket,
      String name,
      StagedContent stagedContent,
      ObjectAttributes objectAttributes,
      RestCall restCall)
      throws IOException {
    try {
      return bucket.put(
          UploadHandler.checkedName(name),
          stagedContent,
          objectAttributes,
          RequestPreconditions.of(restCall));
    } finally {
      stagedContent.discard();
    }
  }
}
