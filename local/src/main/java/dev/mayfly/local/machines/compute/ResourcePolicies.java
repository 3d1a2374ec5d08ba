package dev.mayfly.local.machines.compute;

import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.Operation;
import com.google.cloud.compute.v1.ResourcePolicy;
import dev.mayfly.local.http.ApiError;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The placement policies; like fault controls, they are lost when the cloud restarts. */
final class ResourcePolicies {
  private static final String CLOSE = "COLLOCATED";

  private final String project;
  private final Set<String> links = ConcurrentHashMap.newKeySet();

  ResourcePolicies(String project) {
    this.project = project;
  }

  /**
   * Creates a policy at once. Supports only compact placement.
   *
   * @throws ApiError (409) when the name is in use, (400) for any other kind
   */
  Operation add(String region, ResourcePolicy policy) {
    if (!policy.getGroupPlacementPolicy().getCollocation().equals(CLOSE)) {
      throw ApiError.invalid("Invalid value for field 'resource.groupPlacementPolicy.collocation'");
    }
    var name = policy.getName();
    InstanceValidator.checkName(name);
    var link = "projects/%s/regions/%s/resourcePolicies/%s".formatted(project, region, name);
    if (!links.add(link)) {
      throw ResourceLinks.taken(link);
    }
    return Operation.newBuilder()
        .setName("policy-" + name)
        .setStatus(Operation.Status.DONE)
        .build();
  }

  /**
   * Looks whether those that the machine names are there.
   *
   * @throws ApiError (404) that names the first that is not
   */
  void check(Instance asked) {
    for (var policy : asked.getResourcePoliciesList()) {
      var link = policy.substring(Math.max(0, policy.indexOf("projects/")));
      if (!links.contains(link)) {
        throw ResourceLinks.missing(link);
      }
    }
  }
}
