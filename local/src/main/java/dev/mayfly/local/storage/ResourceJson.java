package dev.mayfly.local.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.storage.bucket.BucketLocation;
import dev.mayfly.local.storage.bucket.StoredObject;
import java.net.URLEncoder;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import tools.jackson.databind.node.ObjectNode;

/** Objects and buckets in the service's JSON, where whole numbers are text. */
final class ResourceJson {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private ResourceJson() {}

  static ObjectNode object(String origin, String bucket, StoredObject object) {
    var path = "/b/" + bucket + "/o/" + encoded(object.name());
    var node = RestCall.JSON.createObjectNode();
    node.put("kind", "storage#object");
    node.put("id", bucket + "/" + object.name() + "/" + object.generation());
    node.put("selfLink", origin + "/storage/v1" + path);
    node.put(
        "mediaLink",
        origin
            + "/download/storage/v1"
            + path
            + "?generation="
            + object.generation()
            + "&alt=media");
    node.put("name", object.name());
    node.put("bucket", bucket);
    node.put("generation", Long.toString(object.generation()));
    node.put("metageneration", Long.toString(object.metageneration()));
    node.put("storageClass", "STANDARD");
    node.put("size", Long.toString(object.size()));
    node.put("crc32c", object.crc32c());
    if (!object.md5().isEmpty()) node.put("md5Hash", object.md5());
    node.put("etag", etag(object));
    node.put("timeCreated", time(object.timeCreated()));
    node.put("updated", time(object.updated()));
    node.put("timeStorageClassUpdated", time(object.timeCreated()));
    object.headers().forEach(node::put);
    if (!object.metadata().isEmpty()) object.metadata().forEach(node.putObject("metadata")::put);
    return node;
  }

  static String etag(StoredObject object) {
    var text = object.generation() + "/" + object.metageneration();
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  static ObjectNode bucket(String origin, String name, BucketLocation place, Instant created) {
    var node = RestCall.JSON.createObjectNode();
    node.put("kind", "storage#bucket");
    node.put("id", name);
    node.put("selfLink", origin + "/storage/v1/b/" + name);
    node.put("name", name);
    node.put("projectNumber", "1");
    node.put("metageneration", "1");
    place.writeTo(node);
    node.put("storageClass", "STANDARD");
    node.put("etag", "CAE=");
    node.put("timeCreated", time(created));
    node.put("updated", time(created));
    return node;
  }

  private static String time(Instant instant) {
    return TIME.format(instant);
  }

  private static String encoded(String name) {
    return URLEncoder.encode(name, UTF_8).replace("+", "%20");
  }
}
