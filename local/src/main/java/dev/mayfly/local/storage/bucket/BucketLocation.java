package dev.mayfly.local.storage.bucket;

import dev.mayfly.local.http.RestCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A bucket's location: a one-line file in its folder, {@code us-central1} for a region, {@code us}
 * for a continent, and {@code us us-east1 us-west1} for a pair of regions. Without the file the
 * bucket is on this laptop, in no region.
 *
 * @param location as the service formats it
 * @param regions the bucket's pair of regions, if it has one
 */
public record BucketLocation(String location, List<String> regions) {
  private static final BucketLocation HERE = new BucketLocation("LAPTOP", List.of());

  /** The location in a request to create a bucket. */
  public static BucketLocation of(JsonNode body) {
    var regions = new ArrayList<String>();
    for (var region : body.path("customPlacementConfig").path("dataLocations"))
      regions.add(upper(region.asString("")));
    return new BucketLocation(upper(body.path("location").asString(HERE.location)), regions);
  }

  static BucketLocation read(Path bucket) throws IOException {
    try {
      var words = Files.readString(file(bucket)).strip().split("\\s+");
      var upper = List.of(words).stream().map(BucketLocation::upper).toList();
      return new BucketLocation(upper.getFirst(), upper.subList(1, upper.size()));
    } catch (NoSuchFileException none) {
      return HERE;
    }
  }

  void write(Path bucket) throws IOException {
    if (equals(HERE)) return;
    Files.createDirectories(file(bucket).getParent());
    Files.writeString(file(bucket), location + " " + String.join(" ", regions) + "\n");
  }

  private static Path file(Path bucket) {
    return bucket.resolve(ObjectPaths.OURS).resolve("location");
  }

  private static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }

  private String kind() {
    if (!regions.isEmpty() || location.matches("NAM4|EUR\\d|ASIA1")) return "dual-region";
    return location.matches("US|EU|ASIA") ? "multi-region" : "region";
  }

  public void writeTo(ObjectNode node) {
    node.put("location", location).put("locationType", kind());
    if (regions.isEmpty()) return;
    var chosen = node.putObject("customPlacementConfig").putArray("dataLocations");
    regions.forEach(chosen::add);
  }

  public ObjectNode layout(String bucket) {
    var node = RestCall.JSON.createObjectNode().put("kind", "storage#storageLayout");
    writeTo(node.put("bucket", bucket));
    return node;
  }
}
