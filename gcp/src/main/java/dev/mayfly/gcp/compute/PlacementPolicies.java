package dev.mayfly.gcp.compute;

import com.google.api.gax.rpc.ApiException;
import com.google.cloud.compute.v1.InsertResourcePolicyRequest;
import com.google.cloud.compute.v1.ResourcePolicy;
import com.google.cloud.compute.v1.ResourcePolicyGroupPlacementPolicy;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet.Order;
import java.util.Locale;

/**
 * The compact placement policies of a pool, one in each of its zones: its machines are put close
 * together, for bandwidth. Nobody deletes them: a policy costs nothing, and there is one for each
 * such pool and zone.
 */
final class PlacementPolicies {
  private PlacementPolicies() {}

  static String link(Order order, String project) {
    return "projects/%s/regions/%s/resourcePolicies/%s"
        .formatted(project, InstanceBuilder.region(order.name().zone()), name(order));
  }

  /**
   * One of a cluster, pool and zone, since machines are close to each other within a zone; it holds
   * at most 1,500 machines.
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
   * Makes the policy unless it is there; that needs {@code compute.resourcePolicies.create}, also
   * where it is there. An order that comes before the policy is ready is refused with a word that
   * means later.
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
