package dev.mayfly.local.machines.compute;

import com.google.cloud.compute.v1.Address;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.machines.StoredValues;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** The static addresses, a file each. No machine of this cloud uses them. */
final class StaticAddresses {
  private final ResourceLinks resourceLinks;
  private final StoredValues<Address> stored;

  StaticAddresses(ResourceLinks resourceLinks, Path folder) {
    this.resourceLinks = resourceLinks;
    this.stored =
        StoredValues.json(
            folder,
            Address.getDefaultInstance(),
            address -> file(ResourceLinks.last(address.getRegion()), address.getName()));
  }

  List<Address> all() {
    return stored.list(address -> true);
  }

  /**
   * @throws ApiError (409) when the name is in use
   */
  synchronized void insert(String region, Address asked, Instant now) {
    InstanceValidator.checkName(region);
    InstanceValidator.checkName(asked.getName());
    InstanceValidator.checkLabels(asked.getLabelsMap());
    if (stored.find(file(region, asked.getName())).isPresent())
      throw ResourceLinks.taken(path(region, asked.getName()));
    var made =
        asked.toBuilder()
            .setKind("compute#address")
            .setRegion(resourceLinks.region(region))
            .setStatus("RESERVED")
            .setAddress("203.0.113." + (all().size() % 250 + 1))
            .setSelfLink(resourceLinks.region(region) + "/addresses/" + asked.getName())
            .setCreationTimestamp(now.toString())
            .build();
    stored.put(made);
  }

  /**
   * @throws ApiError (404) when it is not there
   */
  Address get(String region, String name) {
    return stored
        .find(file(region, name))
        .orElseThrow(() -> ResourceLinks.missing(path(region, name)));
  }

  /**
   * @throws ApiError (404) when it is not there
   */
  void delete(String region, String name) {
    if (!stored.remove(file(region, name))) throw ResourceLinks.missing(path(region, name));
  }

  private static String file(String region, String name) {
    return region + "." + name;
  }

  private String path(String region, String name) {
    return resourceLinks.inRegion(region, "addresses", name);
  }
}
