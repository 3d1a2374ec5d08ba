package dev.mayfly.gcp.compute;

import com.google.api.gax.rpc.ApiException;
import com.google.cloud.compute.v1.Address;
import com.google.cloud.compute.v1.AggregatedListAddressesRequest;
import com.google.cloud.compute.v1.AggregatedListDisksRequest;
import com.google.cloud.compute.v1.AggregatedListResourcePoliciesRequest;
import com.google.cloud.compute.v1.DeleteAddressRequest;
import com.google.cloud.compute.v1.DeleteDiskRequest;
import com.google.cloud.compute.v1.DeleteResourcePolicyRequest;
import com.google.cloud.compute.v1.Disk;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet.Leftover;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Disks and static addresses with Mayfly's label that no machine uses, and the placement policies
 * of Mayfly's clusters, of which the API does not say who uses them.
 */
final class ComputeLeftovers {
  private static final Logger LOG = LoggerFactory.getLogger(ComputeLeftovers.class);
  private static final String OURS = "labels." + CloudMachine.CLUSTER + ":*";

  private final String project;
  private final ComputeClients clients;

  ComputeLeftovers(String project, ComputeClients clients) {
    this.project = project;
    this.clients = clients;
  }

  List<Leftover> list() {
    var found = new ArrayList<Leftover>();
    try {
      disks(found);
      addresses(found);
      policies(found);
      return found;
    } catch (ApiException e) {
      throw ComputeApiError.of(e).exception("Listing disks, addresses and placement policies", e);
    }
  }

  private void disks(List<Leftover> found) {
    var request =
        AggregatedListDisksRequest.newBuilder()
            .setProject(project)
            .setFilter(OURS)
            .setReturnPartialSuccess(true)
            .build();
    for (var scope : clients.disks().aggregatedList(request).iterateAll())
      for (var disk : scope.getValue().getDisksList())
        if (isOurs(disk.getLabelsMap()) && isFree(disk))
          add(
              found,
              Leftover.Kind.DISK,
              last(disk.getZone()),
              disk.getName(),
              disk.getLabelsMap(),
              disk.getCreationTimestamp());
  }

  private void addresses(List<Leftover> found) {
    var request =
        AggregatedListAddressesRequest.newBuilder()
            .setProject(project)
            .setFilter(OURS)
            .setReturnPartialSuccess(true)
            .build();
    for (var scope : clients.addresses().aggregatedList(request).iterateAll())
      for (var address : scope.getValue().getAddressesList())
        // A global address has no region; Mayfly's are never global.
        if (isOurs(address.getLabelsMap()) && isFree(address) && address.hasRegion())
          add(
              found,
              Leftover.Kind.ADDRESS,
              last(address.getRegion()),
              address.getName(),
              address.getLabelsMap(),
              address.getCreationTimestamp());
  }

  private void policies(List<Leftover> found) {
    var request =
        AggregatedListResourcePoliciesRequest.newBuilder()
            .setProject(project)
            .setReturnPartialSuccess(true)
            .build();
    for (var scope : clients.policies().aggregatedList(request).iterateAll())
      for (var policy : scope.getValue().getResourcePoliciesList())
        if (policy.hasGroupPlacementPolicy())
          PlacementPolicies.cluster(policy.getName())
              .ifPresent(cluster ->
                  add(
                      found,
                      Leftover.Kind.PLACEMENT_POLICY,
                      last(policy.getRegion()),
                      policy.getName(),
                      Map.of(CloudMachine.CLUSTER, cluster),
                      policy.getCreationTimestamp()));
  }

  /** Skips a resource whose age is unknown, without affecting the others. */
  private static void add(
      List<Leftover> found,
      Leftover.Kind kind,
      String place,
      String name,
      Map<String, String> labels,
      String created) {
    try {
      var at = InstanceReader.created(name + " in " + place, created);
      found.add(new Leftover(kind, place, name, labels, at));
    } catch (UnavailableException unknown) {
      LOG.warn("kept: {}", unknown.getMessage());
    }
  }

  /** Checks again before deleting, because a disk may have been attached since the listing. */
  boolean delete(Leftover leftover) {
    try {
      return switch (leftover.kind()) {
        case DISK -> deleteDisk(leftover);
        case ADDRESS -> deleteAddress(leftover);
        case PLACEMENT_POLICY -> deletePolicy(leftover);
      };
    } catch (ApiException e) {
      var refusal = ComputeApiError.of(e);
      if (refusal.isNotFound() || refusal.reason().equals("resourceInUseByAnotherResource"))
        return false;
      throw refusal.exception("Deleting " + leftover.name() + " in " + leftover.place(), e);
    }
  }

  private boolean deleteDisk(Leftover leftover) {
    var disk = clients.disks().get(project, leftover.place(), leftover.name());
    if (!isOurs(disk.getLabelsMap()) || !isFree(disk)) return false;
    clients
        .disks()
        .deleteCallable()
        .call(
            DeleteDiskRequest.newBuilder()
                .setProject(project)
                .setZone(leftover.place())
                .setDisk(leftover.name())
                .build());
    return true;
  }

  private boolean deleteAddress(Leftover leftover) {
    var address = clients.addresses().get(project, leftover.place(), leftover.name());
    if (!isOurs(address.getLabelsMap()) || !isFree(address)) return false;
    clients
        .addresses()
        .deleteCallable()
        .call(
            DeleteAddressRequest.newBuilder()
                .setProject(project)
                .setRegion(leftover.place())
                .setAddress(leftover.name())
                .build());
    return true;
  }

  /** The API refuses to delete one that a machine uses. */
  private boolean deletePolicy(Leftover leftover) {
    if (PlacementPolicies.cluster(leftover.name()).isEmpty()) return false;
    clients
        .policies()
        .deleteCallable()
        .call(
            DeleteResourcePolicyRequest.newBuilder()
                .setProject(project)
                .setRegion(leftover.place())
                .setResourcePolicy(leftover.name())
                .build());
    return true;
  }

  private static boolean isOurs(Map<String, String> labels) {
    return labels.containsKey(CloudMachine.CLUSTER);
  }

  private static boolean isFree(Disk disk) {
    return disk.getUsersCount() == 0;
  }

  private static boolean isFree(Address address) {
    return address.getUsersCount() == 0 && !address.getStatus().equals("IN_USE");
  }

  private static String last(String link) {
    return link.substring(link.lastIndexOf('/') + 1);
  }
}
