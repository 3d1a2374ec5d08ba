package dev.mayfly.local.machines.compute;

import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.ResourcePolicy;
import dev.mayfly.local.http.ApiError;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** The placement policies; like fault controls, they are lost when the cloud restarts. */
final class ResourcePolicies {
  private static final String CLOSE = "COLLOCATED";

  private final ResourceLinks resourceLinks;
  private final Map<String, ResourcePolicy> policies = new ConcurrentSkipListMap<>();

  ResourcePolicies(ResourceLinks resourceLinks) {
    this.resourceLinks = resourceLinks;
  }

  List<ResourcePolicy> all() {
    return List.copyOf(policies.values());
  }

  /**
   * Creates a policy at once. Supports only compact placement.
   *
   * @throws ApiError (409) when the name is in use, (400) for any other kind
   */
  void insert(String region, ResourcePolicy policy, Instant now) {
    if (!policy.getGroupPlacementPolicy().getCollocation().equals(CLOSE)) {
      throw ApiError.invalid("Invalid value for field 'resource.groupPlacementPolicy.collocation'");
    }
    InstanceValidator.checkName(policy.getName());
    var path = path(region, policy.getName());
    var made =
        policy.toBuilder()
            .setRegion(resourceLinks.region(region))
            .setSelfLink(resourceLinks.region(region) + "/resourcePolicies/" + policy.getName())
            .setCreationTimestamp(now.toString())
            .build();
    if (policies.putIfAbsent(path, made) != null) {
      throw ResourceLinks.taken(path);
    }
  }

  /**
   * @throws ApiError (404) when it is not there, (400) when one of the machines uses it
   */
  void delete(String region, String name, Collection<Instance> machines) {
    var path = path(region, name);
    if (machines.stream().anyMatch(it -> uses(it, path))) {
      throw new ApiError(
          400,
          "resourceInUseByAnotherResource",
          "The resource_policy resource '" + path + "' is already being used");
    }
    if (policies.remove(path) == null) {
      throw ResourceLinks.missing(path);
    }
  }

  /**
   * Looks whether those that the machine names are there.
   *
   * @throws ApiError (404) that names the first that is not
   */
  void check(Instance asked) {
    for (var policy : asked.getResourcePoliciesList()) {
      if (!policies.containsKey(path(policy))) {
        throw ResourceLinks.missing(path(policy));
      }
    }
  }

  private static boolean uses(Instance machine, String path) {
    return machine.getResourcePoliciesList().stream().anyMatch(it -> path(it).equals(path));
  }

  private static String path(String link) {
    return link.substring(Math.max(0, link.indexOf("projects/")));
  }

  private String path(String region, String name) {
    return resourceLinks.inRegion(region, "resourcePolicies", name);
  }
}
