package dev.mayfly.local.cloud.storage;

import dev.mayfly.local.cloud.rest.Call;
import dev.mayfly.local.cloud.rest.Refused;
import java.io.IOException;
import tools.jackson.databind.node.ObjectNode;

/** Objects that come in: in one request ({@code media}, {@code multipart}) or in pieces. */
final class Uploads {
  /** What is held in memory at once; larger objects come in pieces. */
  private static final int CAP = 64 << 20;

  private final Buckets buckets;
  private final ResumableUploads resumable = new ResumableUploads();

  Uploads(Buckets buckets) {
    this.buckets = buckets;
  }

  /** {@code /upload/storage/v1/b/BUCKET/o}. */
  void answer(Call call) throws IOException {
    var path = call.path();
    if (path.size() != 6 || !path.get(3).equals("b") || !path.get(5).equals("o"))
      throw Refused.notFound("No such upload address: /" + String.join("/", path));
    var bucket = buckets.get(path.get(4));
    switch (call.query("uploadType").orElse("")) {
      case "media" -> media(call, bucket);
      case "multipart" -> multipart(call, bucket);
      case "resumable" -> resumable.answer(call, bucket);
      default -> throw Refused.invalid("uploadType must be media, multipart or resumable");
    }
  }

  private void media(Call call, Bucket bucket) throws IOException {
    var resource = Call.JSON.createObjectNode();
    call.header("Content-Type").ifPresent(type -> resource.put("contentType", type));
    try (var body = call.body()) {
      store(call, bucket, resource, Draft.copied(body, bucket.temp()));
    }
  }

  private void multipart(Call call, Bucket bucket) throws IOException {
    var parts = Multipart.of(call.header("Content-Type").orElse(""), call.bytes(CAP));
    var resource = parts.resource();
    if (!resource.has("contentType") && !parts.contentType().isEmpty())
      resource.put("contentType", parts.contentType());
    store(call, bucket, resource, Draft.copied(parts.content(), bucket.temp()));
  }

  private static void store(Call call, Bucket bucket, ObjectNode resource, Draft draft)
      throws IOException {
    try {
      draft.verify(resource);
      var name = name(call, resource);
      var made = bucket.put(name, draft, Attributes.of(resource), Conditions.of(call));
      call.answer(200, Resources.object(call.origin(), bucket.name(), made));
    } finally {
      draft.discard();
    }
  }

  /** The parameter or the resource names the object. */
  static String name(Call call, ObjectNode resource) {
    return checked(call.query("name").orElse(resource.path("name").asString("")));
  }

  static String checked(String name) {
    if (name.isEmpty()) throw new Refused(400, "required", "Required parameter: name");
    if (name.getBytes(java.nio.charset.StandardCharsets.UTF_8).length > 1_024)
      throw Refused.invalid("The object's name is longer than 1024 bytes");
    if (name.equals(".")
        || name.equals("..")
        || name.chars().anyMatch(c -> c == 0 || c == '\r' || c == '\n'))
      throw Refused.invalid("Disallowed object name: '" + name.replaceAll("\\p{Cntrl}", "?") + "'");
    return name;
  }
}
