package dev.mayfly.local.storage;

import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.storage.bucket.Bucket;
import dev.mayfly.local.storage.bucket.ObjectAttributes;
import dev.mayfly.local.storage.bucket.RequestPreconditions;
import dev.mayfly.local.storage.bucket.StagedContent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/**
 * Resumable uploads. A session is two files, its parameters and its content so far, and survives
 * restarts. A finished session answers with its object, for clients that missed the answer.
 */
final class ResumableUploads {
  private static final Pattern RANGE =
      Pattern.compile("bytes (?:(\\d+)-(\\d+|\\*)|\\*)/(\\d+|\\*)");

  void answer(RestCall restCall, Bucket bucket) throws IOException {
    var id = restCall.query("upload_id");
    switch (restCall.method()) {
      case "POST" -> {
        if (id.isPresent()) piece(restCall, session(bucket, id.get()));
        else begin(restCall, bucket);
      }
      case "PUT" -> piece(restCall, session(bucket, id.orElse("")));
      case "DELETE" -> cancel(restCall, session(bucket, id.orElse("")));
      default -> throw ApiError.invalid(restCall.method() + " is not a method of an upload");
    }
  }

  /**
   * @param plan the resource and the conditions; with {@code done} once the object exists
   */
  private record Session(Bucket bucket, Path planFile, Path content, ObjectNode plan) {
    long received() throws IOException {
      return Files.exists(content) ? Files.size(content) : 0;
    }
  }

  private void begin(RestCall restCall, Bucket bucket) throws IOException {
    var plan = RestCall.JSON.createObjectNode();
    var resource = restCall.json(1 << 20);
    resource.put("name", UploadHandler.name(restCall, resource));
    UploadHandler.addParameters(restCall, resource);
    if (!resource.has("contentType"))
      restCall.header("X-Upload-Content-Type").ifPresent(type -> resource.put("contentType", type));
    // Checks the conditions early, before the client sends content.
    RequestPreconditions.of(restCall).check(bucket.find(resource.path("name").asString()));
    plan.set("resource", resource);
    plan.set("conditions", RestCall.JSON.valueToTree(RequestPreconditions.of(restCall)));
    var id = UUID.randomUUID().toString();
    Files.createDirectories(bucket.uploads());
    Files.write(planFile(bucket, id), RestCall.JSON.writeValueAsBytes(plan));
    restCall.answerHeader(
        "Location",
        restCall.origin()
            + "/upload/storage/v1/b/"
            + bucket.name()
            + "/o?uploadType=resumable&upload_id="
            + id);
    restCall.answer(200);
  }

  private static Path planFile(Bucket bucket, String id) {
    return bucket.uploads().resolve(id + ".json");
  }

  private Session session(Bucket bucket, String id) throws IOException {
    if (!id.matches("[-0-9a-f]{36}") || !Files.exists(planFile(bucket, id)))
      throw ApiError.notFound("No such upload: " + id);
    var plan = RestCall.object(Files.readAllBytes(planFile(bucket, id)));
    return new Session(bucket, planFile(bucket, id), bucket.uploads().resolve(id), plan);
  }

  private void piece(RestCall restCall, Session session) throws IOException {
    if (session.plan().get("done") instanceof ObjectNode done) {
      restCall.answer(200, done);
      return;
    }
    var piece = Piece.of(restCall.header("Content-Range").orElse("bytes 0-*/*"));
    if (piece.from().isPresent()) append(restCall, session, piece.from().get());
    var total = piece.toTheEnd() ? Optional.of(session.received()) : piece.total();
    if (total.isPresent() && session.received() == total.get()) finish(restCall, session);
    else pending(restCall, session);
  }

  /**
   * The content of a request.
   *
   * @param from the first byte; empty for a status query
   * @param toTheEnd whether the object ends with the request, of any length
   */
  private record Piece(Optional<Long> from, boolean toTheEnd, Optional<Long> total) {
    static Piece of(String header) {
      var range = RANGE.matcher(header);
      if (!range.matches()) throw ApiError.invalid("Invalid Content-Range: '" + header + "'");
      var total =
          range.group(3).equals("*") ? Optional.<Long>empty() : Optional.of(number(range.group(3)));
      return new Piece(
          Optional.ofNullable(range.group(1)).map(Piece::number),
          "*".equals(range.group(2)) && total.isEmpty(),
          total);
    }

    private static long number(String text) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw ApiError.invalid("Invalid Content-Range: " + e.getMessage());
      }
    }
  }

  /** Appends content: skips bytes that were received before, and refuses gaps. */
  private static void append(RestCall restCall, Session session, long from) throws IOException {
    var received = session.received();
    if (from > received)
      throw ApiError.unavailable("The pieces before byte " + from + " are missing");
    try (var body = restCall.body();
        var out =
            Files.newOutputStream(
                session.content(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      body.skipNBytes(received - from);
      body.transferTo(out);
    } catch (java.io.EOFException e) {
      // All of it was received before.
    }
  }

  private static void pending(RestCall restCall, Session session) throws IOException {
    var received = session.received();
    if (received > 0) restCall.answerHeader("Range", "bytes=0-" + (received - 1));
    // Some clients treat 308 as a redirect and request another status.
    if (restCall.header("X-GUploader-No-308").filter("yes"::equals).isEmpty()) {
      restCall.answer(308);
      return;
    }
    restCall.answerHeader("X-HTTP-Status-Code-Override", "308");
    restCall.answer(200);
  }

  private void finish(RestCall restCall, Session session) throws IOException {
    if (!Files.exists(session.content())) Files.createFile(session.content());
    var stagedContent = StagedContent.of(session.content());
    var resource = (ObjectNode) session.plan().get("resource");
    stagedContent.verify(resource);
    for (var hash : restCall.header("X-Goog-Hash").orElse("").split(","))
      if (hash.startsWith("crc32c="))
        stagedContent.verify("CRC32C", hash.substring(7), stagedContent.crc32c());
    var requestPreconditions =
        RestCall.JSON.treeToValue(session.plan().get("conditions"), RequestPreconditions.class);
    var name = resource.path("name").asString();
    var made =
        session
            .bucket()
            .put(name, stagedContent, ObjectAttributes.of(resource), requestPreconditions);
    var answer = ResourceJson.object(restCall.origin(), session.bucket().name(), made);
    session.plan().set("done", answer);
    Files.write(session.planFile(), RestCall.JSON.writeValueAsBytes(session.plan()));
    restCall.answer(200, answer);
  }

  private static void cancel(RestCall restCall, Session session) throws IOException {
    Files.deleteIfExists(session.content());
    Files.deleteIfExists(session.planFile());
    restCall.answer(499);
  }
}
