package dev.mayfly.local.cloud.storage;

import dev.mayfly.local.cloud.rest.Call;
import dev.mayfly.local.cloud.rest.Refused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/**
 * Uploads in pieces. A session is two files, what was said at its start and what has come so far,
 * and so outlives a restart. A session that has ended answers with its object, for senders that
 * missed it.
 */
final class ResumableUploads {
  private static final Pattern RANGE =
      Pattern.compile("bytes (?:(\\d+)-(\\d+|\\*)|\\*)/(\\d+|\\*)");

  void answer(Call call, Bucket bucket) throws IOException {
    var id = call.query("upload_id");
    switch (call.method()) {
      case "POST" -> {
        if (id.isPresent()) piece(call, session(bucket, id.get()));
        else begin(call, bucket);
      }
      case "PUT" -> piece(call, session(bucket, id.orElse("")));
      case "DELETE" -> cancel(call, session(bucket, id.orElse("")));
      default -> throw Refused.invalid(call.method() + " is no method of an upload");
    }
  }

  /**
   * @param plan the resource and the conditions; with {@code done} when the object was made
   */
  private record Session(Bucket bucket, Path planFile, Path content, ObjectNode plan) {
    long received() throws IOException {
      return Files.exists(content) ? Files.size(content) : 0;
    }
  }

  private void begin(Call call, Bucket bucket) throws IOException {
    var plan = Call.JSON.createObjectNode();
    var resource = call.json(1 << 20);
    resource.put("name", Uploads.name(call, resource));
    Uploads.parameters(call, resource);
    if (!resource.has("contentType"))
      call.header("X-Upload-Content-Type").ifPresent(type -> resource.put("contentType", type));
    // An object that must not be there and is: better said before the content comes.
    Conditions.of(call).check(bucket.find(resource.path("name").asString()));
    plan.set("resource", resource);
    plan.set("conditions", Call.JSON.valueToTree(Conditions.of(call)));
    var id = UUID.randomUUID().toString();
    Files.createDirectories(bucket.uploads());
    Files.write(planFile(bucket, id), Call.JSON.writeValueAsBytes(plan));
    call.answerHeader(
        "Location",
        call.origin()
            + "/upload/storage/v1/b/"
            + bucket.name()
            + "/o?uploadType=resumable&upload_id="
            + id);
    call.answer(200);
  }

  private static Path planFile(Bucket bucket, String id) {
    return bucket.uploads().resolve(id + ".json");
  }

  private Session session(Bucket bucket, String id) throws IOException {
    if (!id.matches("[-0-9a-f]{36}") || !Files.exists(planFile(bucket, id)))
      throw Refused.notFound("No such upload: " + id);
    var plan = Call.object(Files.readAllBytes(planFile(bucket, id)));
    return new Session(bucket, planFile(bucket, id), bucket.uploads().resolve(id), plan);
  }

  private void piece(Call call, Session session) throws IOException {
    if (session.plan().get("done") instanceof ObjectNode done) {
      call.answer(200, done);
      return;
    }
    var piece = Piece.of(call.header("Content-Range").orElse("bytes 0-*/*"));
    if (piece.from().isPresent()) append(call, session, piece.from().get());
    var total = piece.toTheEnd() ? Optional.of(session.received()) : piece.total();
    if (total.isPresent() && session.received() == total.get()) finish(call, session);
    else pending(call, session);
  }

  /**
   * What a request brings.
   *
   * @param from the first byte; empty for a question about what has come
   * @param toTheEnd whether the object ends with the request, however long that is
   */
  private record Piece(Optional<Long> from, boolean toTheEnd, Optional<Long> total) {
    static Piece of(String header) {
      var range = RANGE.matcher(header);
      if (!range.matches()) throw Refused.invalid("Invalid Content-Range: '" + header + "'");
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
        throw Refused.invalid("Invalid Content-Range: " + e.getMessage());
      }
    }
  }

  /** Bytes that came before are passed over; a gap is refused. */
  private static void append(Call call, Session session, long from) throws IOException {
    var received = session.received();
    if (from > received)
      throw new Refused(503, "backendError", "The pieces before byte " + from + " are missing");
    try (var body = call.body();
        var out =
            Files.newOutputStream(
                session.content(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      body.skipNBytes(received - from);
      body.transferTo(out);
    } catch (java.io.EOFException e) {
      // All of it had come before.
    }
  }

  private static void pending(Call call, Session session) throws IOException {
    var received = session.received();
    if (received > 0) call.answerHeader("Range", "bytes=0-" + (received - 1));
    // Some clients' libraries take 308 for a redirection, and ask for another way to say it.
    if (call.header("X-GUploader-No-308").filter("yes"::equals).isEmpty()) {
      call.answer(308);
      return;
    }
    call.answerHeader("X-HTTP-Status-Code-Override", "308");
    call.answer(200);
  }

  private void finish(Call call, Session session) throws IOException {
    if (!Files.exists(session.content())) Files.createFile(session.content());
    var draft = Draft.of(session.content());
    var resource = (ObjectNode) session.plan().get("resource");
    draft.verify(resource);
    for (var hash : call.header("X-Goog-Hash").orElse("").split(","))
      if (hash.startsWith("crc32c=")) draft.verify("CRC32C", hash.substring(7), draft.crc32c());
    var conditions = Call.JSON.treeToValue(session.plan().get("conditions"), Conditions.class);
    var name = resource.path("name").asString();
    var made = session.bucket().put(name, draft, Attributes.of(resource), conditions);
    var answer = Resources.object(call.origin(), session.bucket().name(), made);
    session.plan().set("done", answer);
    Files.write(session.planFile(), Call.JSON.writeValueAsBytes(session.plan()));
    call.answer(200, answer);
  }

  private static void cancel(Call call, Session session) throws IOException {
    Files.deleteIfExists(session.content());
    Files.deleteIfExists(session.planFile());
    call.answer(499);
  }
}
