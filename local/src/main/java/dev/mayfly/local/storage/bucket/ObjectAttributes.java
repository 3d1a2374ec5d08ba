package dev.mayfly.local.storage.bucket;

import dev.mayfly.local.http.ApiError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The attributes of an object that a writer may set. */
public record ObjectAttributes(Map<String, String> headers, Map<String, String> metadata) {
  private static final List<String> HEADERS =
      List.of(
          "contentType",
          "contentEncoding",
          "contentDisposition",
          "contentLanguage",
          "cacheControl",
          "storageClass",
          "customTime");

  public static ObjectAttributes of(JsonNode resource) {
    return new ObjectAttributes(Map.of(), Map.of()).patched(resource);
  }

  /** Applies changes: named attributes are set, null removes, others are kept. */
  public ObjectAttributes patched(JsonNode resource) {
    var newHeaders = new HashMap<>(headers);
    for (var name : HEADERS) if (resource.has(name)) set(newHeaders, name, resource.get(name));
    var given = resource.get("metadata");
    if (given == null) return new ObjectAttributes(newHeaders, metadata);
    if (given.isNull()) return new ObjectAttributes(newHeaders, Map.of());
    if (!(given instanceof ObjectNode fields)) throw ApiError.invalid("metadata must be an object");
    var newMetadata = new HashMap<>(metadata);
    fields.properties().forEach(field -> set(newMetadata, field.getKey(), field.getValue()));
    return new ObjectAttributes(newHeaders, newMetadata);
  }

  private static void set(Map<String, String> target, String name, JsonNode value) {
    if (value.isNull()) target.remove(name);
    else if (value.isString()) target.put(name, value.stringValue());
    else throw ApiError.invalid("'" + name + "' must be text, and is " + value);
  }
}
