package dev.mayfly.local.cloud.storage;

import dev.mayfly.local.cloud.rest.Call;
import dev.mayfly.local.cloud.rest.Refused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Objects that are made of others: copied, rewritten (here the same, in one step) or composed. */
final class Copies {
  private static final int MOST_PARTS = 32;

  private final Buckets buckets;

  Copies(Buckets buckets) {
    this.buckets = buckets;
  }

  /**
   * Answers {@code copyTo} and {@code rewriteTo}.
   *
   * @param path {@code b/BUCKET/o/SOURCE/copyTo/b/BUCKET/o/NAME}
   */
  void copy(Call call, Bucket from, List<String> path) throws IOException {
    var target = buckets.forWriting(path.get(6));
    var resource = call.json(1 << 20);
    var generation =
        call.number("sourceGeneration").or(() -> call.number("ifSourceGenerationMatch"));
    var opened = from.open(path.get(3), generation);
    Draft draft;
    try (var content = opened.content()) {
      draft = Draft.copied(content, target.temp());
    }
    var attributes = opened.object().attributes();
    if (!resource.isEmpty()) attributes = attributes.patched(resource);
    var made = put(target, path.get(8), draft, attributes, call);
    var answer = Resources.object(call.origin(), target.name(), made);
    call.answer(200, path.get(4).equals("copyTo") ? answer : rewritten(answer, made.size()));
  }

  /**
   * Answers {@code moveTo}: the object gets another name in its bucket.
   *
   * @param path {@code b/BUCKET/o/SOURCE/moveTo/o/NAME}
   */
  void move(Call call, Bucket bucket, List<String> path) throws IOException {
    var name = path.get(3);
    if (name.equals(path.get(6)))
      throw Refused.invalid("An object cannot be moved to its own name, " + name);
    var opened = bucket.open(name, Optional.empty());
    var source = opened.object();
    Draft draft;
    try (var content = opened.content()) {
      Conditions.ofSource(call).check(Optional.of(source));
      draft = Draft.copied(content, bucket.temp());
    }
    var made = put(bucket, path.get(6), draft, source.attributes(), call);
    bucket.delete(name, Optional.of(source.generation()), Conditions.NONE);
    call.answer(200, Resources.object(call.origin(), bucket.name(), made));
  }

  private static ObjectNode rewritten(ObjectNode resource, long size) {
    var node = Call.JSON.createObjectNode().put("kind", "storage#rewriteResponse");
    node.put("totalBytesRewritten", Long.toString(size)).put("objectSize", Long.toString(size));
    node.put("done", true).set("resource", resource);
    return node;
  }

  /** {@code …/o/NAME/compose}. */
  void compose(Call call, Bucket bucket, String name) throws IOException {
    var request = call.json(1 << 20);
    var sources = request.path("sourceObjects");
    if (sources.isEmpty() || sources.size() > MOST_PARTS)
      throw Refused.invalid("compose takes 1 to " + MOST_PARTS + " objects, not " + sources.size());
    var temp = bucket.temp();
    try {
      for (var source : sources) append(bucket, source, temp);
      var sums = Draft.of(temp);
      // As on the service: a composed object has no MD5.
      var draft = new Draft(temp, sums.size(), sums.crc32c(), "");
      var made = put(bucket, name, draft, Attributes.of(request.path("destination")), call);
      call.answer(200, Resources.object(call.origin(), bucket.name(), made));
    } finally {
      Files.deleteIfExists(temp);
    }
  }

  private static void append(Bucket bucket, JsonNode source, java.nio.file.Path temp)
      throws IOException {
    var wanted = source.path("objectPreconditions").path("ifGenerationMatch").asString("");
    var exact = source.path("generation").asString(wanted);
    var generation = exact.isEmpty() ? Optional.<Long>empty() : Optional.of(Long.valueOf(exact));
    try (var content = bucket.open(source.path("name").asString(""), generation).content();
        var out =
            Files.newOutputStream(temp, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      content.transferTo(out);
    }
  }

  private static StoredObject put(
      Bucket bucket, String name, Draft draft, Attributes attributes, Call call)
      throws IOException {
    try {
      return bucket.put(Uploads.checked(name), draft, attributes, Conditions.of(call));
    } finally {
      draft.discard();
    }
  }
}
