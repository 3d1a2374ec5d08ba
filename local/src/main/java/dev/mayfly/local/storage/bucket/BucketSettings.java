package dev.mayfly.local.storage.bucket;

import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.RestCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A bucket's settings, a JSON file in its folder. Settings whose effect is not simulated are
 * refused rather than ignored.
 *
 * @param fields the fields of the bucket's resource
 */
public record BucketSettings(ObjectNode fields) {
  private static final String METAGENERATION = "metageneration";

  /** Stored without effect, as on the service from a task's view. */
  private static final Set<String> KEPT =
      Set.of("labels", "cors", "website", "logging", "iamConfiguration", "storageClass", "rpo");

  /** Read-only fields of the resource, which clients send back when they change a resource. */
  private static final Set<String> READ_ONLY =
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

  /**
   * Applies a request's changes; null removes a field. Throws {@link ApiError} for unsupported
   * settings.
   */
  public BucketSettings patched(ObjectNode request) {
    var next = fields.deepCopy();
    request.properties().forEach(field -> set(next, field.getKey(), field.getValue()));
    if (!next.equals(fields)) next.put(METAGENERATION, metageneration() + 1);
    return new BucketSettings(next);
  }

  private static void set(ObjectNode fields, String name, JsonNode value) {
    if (READ_ONLY.contains(name)) return;
    if (!KEPT.contains(name)) {
      if (!off(value))
        throw ApiError.invalid(
            "The laptop cloud's buckets do not support '%s', but %s was requested"
                .formatted(name, value));
      return;
    }
    if (value.isNull()) fields.remove(name);
    else if (value instanceof ObjectNode object && fields.get(name) instanceof ObjectNode old)
      merge(old, object);
    else fields.set(name, value);
  }

  /** Merges labels one by one. */
  private static void merge(ObjectNode old, ObjectNode changes) {
    changes
        .properties()
        .forEach(field -> {
          if (field.getValue().isNull()) old.remove(field.getKey());
          else old.set(field.getKey(), field.getValue());
        });
  }

  /** Whether a setting only disables something. */
  private static boolean off(JsonNode value) {
    if (value.isNull() || (value.isEmpty() && value.isContainer())) return true;
    if (value.isBoolean()) return !value.booleanValue();
    if (value.isNumber()) return value.doubleValue() == 0;
    if (value.isString()) return value.stringValue().matches("0?");
    return value.valueStream().allMatch(BucketSettings::off);
  }

  /** Whether any setting is present. */
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
