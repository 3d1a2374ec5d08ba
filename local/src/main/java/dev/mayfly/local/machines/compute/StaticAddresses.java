package dev.mayfly.local.machines.compute;

import com.google.cloud.compute.v1.Address;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.os.DocumentFolder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The static addresses, a file each. No machine of this cloud uses them. */
final class StaticAddresses {
  private final ResourceLinks resourceLinks;
  private final DocumentFolder folder;
  private final Map<String, Address> all = new ConcurrentHashMap<>();

  StaticAddresses(ResourceLinks resourceLinks, DocumentFolder folder) {
    this.resourceLinks = resourceLinks;
    this.folder = folder;
    folder.read().forEach((name, text) -> all.put(name, parsed(text)));
  }

  List<Address> all() {
    return List.copyOf(all.values());
  }

  /**
   * @throws ApiError (409) when the name is in use
   */
  void insert(String region, Address asked, Instant now) {
    InstanceValidator.checkLabels(asked.getLabelsMap());
    var made =
        asked.toBuilder()
            .setKind("compute#address")
            .setRegion(resourceLinks.region(region))
            .setStatus("RESERVED")
            .setAddress("203.0.113." + (all.size() % 250 + 1))
            .setSelfLink(resourceLinks.region(region) + "/addresses/" + asked.getName())
            .setCreationTimestamp(now.toString())
            .build();
    if (all.putIfAbsent(file(region, asked.getName()), made) != null)
      throw ResourceLinks.taken(path(region, asked.getName()));
    folder.write(file(region, asked.getName()), ProtoJson.print(made));
  }

  /**
   * @throws ApiError (404) when it is not there
   */
  Address get(String region, String name) {
    var found = all.get(file(region, name));
    if (found == null) throw ResourceLinks.missing(path(region, name));
    return found;
  }

  /**
   * @throws ApiError (404) when it is not there
   */
  void delete(String region, String name) {
    if (all.remove(file(region, name)) == null) throw ResourceLinks.missing(path(region, name));
    folder.delete(file(region, name));
  }

  private static String file(String region, String name) {
    return region + "." + name;
  }

  private String path(String region, String name) {
    return resourceLinks.inRegion(region, "addresses", name);
  }

  private static Address parsed(String text) {
    try {
      return ProtoJson.parse(text, Address.newBuilder()).build();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("A stored address cannot be read: " + text, e);
    }
  }
}
