package dev.mayfly.local.storage.bucket;

import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.http.RestError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a bucket's users have set of it, a JSON file in its folder. What would change how the bucket
 * works, and does not here, is refused rather than forgotten.
 *
 * @param fields as the bucket's resource has them
 */
public record BucketSettings(ObjectNode fields) {
  private static final String METAGENERATION = "metageneration";

  /** Kept as they are: nothing follows from them here, nor would it on the service for a task. */
  private static final Set<String> KEPT =
      Set.of("labels", "cors", "website", "logging", "iamConfiguration", "storageClass", "rpo");

  /** Told by the bucket itself, and sent back by clients that change a resource they have read. */
  private static final Set<String> TOLD =
      Set.of(
          "kind",
          "id",
          "selfLink",
          "name",
          "projectNumber",
          METAGENERATION,
          "location",
          "locationType",
          "customPlacementConfig",
          "etag",
          "timeCreated",
          "updated",
          "generation",
          "acl",
          "defaultObjectAcl");

  public static BucketSettings read(Path file) throws IOException {
    try {
      return new BucketSettings(RestCall.object(Files.readAllBytes(file)));
    } catch (NoSuchFileException none) {
      return new BucketSettings(RestCall.JSON.createObjectNode());
    }
  }

  /** With what a request says; null takes a field away. Throws {@link RestError}. */
  public BucketSettings patched(ObjectNode request) {
    var next = fields.deepCopy();
    request.properties().forEach(field -> set(next, field.getKey(), field.getValue()));
    if (!next.equals(fields)) next.put(METAGENERATION, metageneration() + 1);
    return new BucketSettings(next);
  }

  private static void set(ObjectNode fields, String name, JsonNode value) {
    if (TOLD.contains(name)) return;
    if (!KEPT.contains(name)) {
      if (!off(value))
        throw RestError.invalid(
            "The laptop cloud's buckets have no '%s', and %s was asked for".formatted(name, value));
      return;
    }
    if (value.isNull()) fields.remove(name);
    else if (value instanceof ObjectNode object && fields.get(name) instanceof ObjectNode old)
      merge(old, object);
    else fields.set(name, value);
  }

  /** Labels are changed one by one. */
  private static void merge(ObjectNode old, ObjectNode changes) {
    changes
        .properties()
        .forEach(field -> {
          if (field.getValue().isNull()) old.remove(field.getKey());
          else old.set(field.getKey(), field.getValue());
        });
  }

  /** Whether a setting only says that something is not wanted. */
  private static boolean off(JsonNode value) {
    if (value.isNull() || (value.isEmpty() && value.isContainer())) return true;
    if (value.isBoolean()) return !value.booleanValue();
    if (value.isNumber()) return value.doubleValue() == 0;
    if (value.isString()) return value.stringValue().matches("0?");
    return value.valueStream().allMatch(BucketSettings::off);
  }

  /** Whether there is more to keep than that nothing was set. */
  public boolean isSet() {
    return fields.size() > 1;
  }

  long metageneration() {
    return fields.path(METAGENERATION).asLong(1);
  }

  public void write(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    var fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.write(fresh, RestCall.JSON.writeValueAsBytes(fields));
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  public void writeTo(ObjectNode resource) {
    resource.setAll(fields);
    resource.put(METAGENERATION, Long.toString(metageneration()));
  }
}
