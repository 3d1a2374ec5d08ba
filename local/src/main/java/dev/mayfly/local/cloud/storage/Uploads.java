package dev.mayfly.local.cloud.storage;

import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.local.cloud.rest.Call;
import dev.mayfly.local.cloud.rest.Refused;
import java.io.IOException;
import java.util.List;
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

  /** {@code b/BUCKET/o}. */
  void answer(Call call, List<String> path) throws IOException {
    if (path.size() != 3 || !path.getFirst().equals("b") || !path.getLast().equals("o"))
      throw Refused.notFound("No such upload address: /" + String.join("/", call.path()));
    var bucket = buckets.forWriting(path.get(1));
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
    var content = parts.content();
    if (!resource.has("contentType"))
      content.header("Content-Type").ifPresent(type -> resource.put("contentType", type));
    store(call, bucket, resource, Draft.copied(content.content(), bucket.temp()));
  }

  /** What a parameter says of the object, where the resource does not. */
  static void parameters(Call call, ObjectNode resource) {
    if (!resource.has("contentEncoding"))
      call.query("contentEncoding").ifPresent(e -> resource.put("contentEncoding", e));
  }

  private static void store(Call call, Bucket bucket, ObjectNode resource, Draft draft)
      throws IOException {
    try {
      parameters(call, resource);
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
    if (ObjectNames.bytes(name) > ObjectNames.LONGEST)
      throw Refused.invalid("The object's name is longer than 1024 bytes");
    if (!legal(name))
      throw Refused.invalid("Disallowed object name: '" + ObjectNames.printable(name) + "'");
    return name;
  }

  /** Of a name that is not too long: a person may make a file that can be no object. */
  static boolean legal(String name) {
    return !name.equals(".")
        && !name.equals("..")
        && name.chars().noneMatch(c -> c == 0 || c == '\r' || c == '\n');
  }
}
