package dev.mayfly.gcp.compute;

import com.google.api.gax.rpc.ApiException;
import com.google.cloud.compute.v1.InsertResourcePolicyRequest;
import com.google.cloud.compute.v1.ResourcePolicy;
import com.google.cloud.compute.v1.ResourcePolicyGroupPlacementPolicy;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet.Order;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A pool's compact placement policies, one per zone: machines are placed close together, for
 * bandwidth. A policy is free; cleanup deletes those of clusters that are gone.
 */
final class PlacementPolicies {
  private static final Pattern NAME = Pattern.compile("mayfly-([a-z0-9]+)-.+");

  private PlacementPolicies() {}

  /** The uid of the cluster that the policy of that name is of; empty if it is not Mayfly's. */
  static Optional<String> cluster(String name) {
    var matcher = NAME.matcher(name);
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  static String link(Order order, String project) {
    return "projects/%s/regions/%s/resourcePolicies/%s"
        .formatted(project, InstanceBuilder.region(order.name().zone()), name(order));
  }

  /**
   * One per cluster, pool and zone, because closeness exists within a zone only. A policy allows at
   * most 1,500 machines.
   */
  static String name(Order order) {
    var cluster = order.labels().getOrDefault(CloudMachine.CLUSTER, "").toLowerCase(Locale.ROOT);
    var zone = order.name().zone();
    var name =
        "mayfly-%s-%s-%s"
            .formatted(cluster, order.pool().name(), zone.substring(zone.lastIndexOf('-') + 1));
    return name.length() <= 63
        ? name
        : name.substring(0, 54) + "-" + Integer.toHexString(name.hashCode());
  }

  /**
   * Creates the policy unless it exists, which needs {@code compute.resourcePolicies.create} in
   * either case. An order before the policy is ready is refused with a code that means to retry.
   */
  static void ensure(Order order, ComputeSettings settings, ComputeClients clients) {
    var policy =
        ResourcePolicy.newBuilder()
            .setName(name(order))
            .setGroupPlacementPolicy(
                ResourcePolicyGroupPlacementPolicy.newBuilder().setCollocation("COLLOCATED"));
    try {
      clients
          .policies()
          .insertCallable()
          .call(
              InsertResourcePolicyRequest.newBuilder()
                  .setProject(settings.project())
                  .setRegion(InstanceBuilder.region(order.name().zone()))
                  .setResourcePolicyResource(policy)
                  .build());
    } catch (ApiException e) {
      if (!ComputeApiError.of(e).isConflict()) {
        throw e;
      }
    }
  }
}
