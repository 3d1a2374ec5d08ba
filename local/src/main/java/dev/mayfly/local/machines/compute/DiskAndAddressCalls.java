package dev.mayfly.local.machines.compute;

import com.google.cloud.compute.v1.Address;
import com.google.cloud.compute.v1.AddressAggregatedList;
import com.google.cloud.compute.v1.AddressesScopedList;
import com.google.cloud.compute.v1.Disk;
import com.google.cloud.compute.v1.DiskAggregatedList;
import com.google.cloud.compute.v1.DisksScopedList;
import com.google.cloud.compute.v1.Operation;
import com.google.cloud.compute.v1.ResourcePoliciesScopedList;
import com.google.cloud.compute.v1.ResourcePolicy;
import com.google.cloud.compute.v1.ResourcePolicyAggregatedList;
import com.google.protobuf.Message;
import dev.mayfly.local.http.QueryParameters;
import dev.mayfly.local.machines.CloudContext;

/** Calls about disks and static addresses; all are complete when they are answered. */
final class DiskAndAddressCalls {
  private final ComputeMachines computeMachines;
  private final CloudContext cloudContext;

  DiskAndAddressCalls(ComputeMachines computeMachines, CloudContext cloudContext) {
    this.computeMachines = computeMachines;
    this.cloudContext = cloudContext;
  }

  Message disks(QueryParameters queryParameters) {
    var all = computeMachines.disks().all(computeMachines.instances());
    var resultPage = ResultPage.of(all, Disk::getSelfLink, queryParameters);
    var list = DiskAggregatedList.newBuilder().setKind("compute#diskAggregatedList");
    for (var zone : ZoneCatalog.names()) {
      var own =
          resultPage.items().stream()
              .filter(d -> ResourceLinks.last(d.getZone()).equals(zone))
              .toList();
      if (!own.isEmpty())
        list.putItems("zones/" + zone, DisksScopedList.newBuilder().addAllDisks(own).build());
    }
    resultPage.ifMore(list::setNextPageToken);
    return list.build();
  }

  Message addresses(QueryParameters queryParameters) {
    var resultPage =
        ResultPage.of(computeMachines.addresses().all(), Address::getSelfLink, queryParameters);
    var list = AddressAggregatedList.newBuilder().setKind("compute#addressAggregatedList");
    for (var region : resultPage.items().stream().map(Address::getRegion).distinct().toList()) {
      var own = resultPage.items().stream().filter(a -> a.getRegion().equals(region)).toList();
      list.putItems(
          "regions/" + ResourceLinks.last(region),
          AddressesScopedList.newBuilder().addAllAddresses(own).build());
    }
    resultPage.ifMore(list::setNextPageToken);
    return list.build();
  }

  Message policies(QueryParameters queryParameters) {
    var resultPage =
        ResultPage.of(
            computeMachines.policies().all(), ResourcePolicy::getSelfLink, queryParameters);
    var list =
        ResourcePolicyAggregatedList.newBuilder().setKind("compute#resourcePolicyAggregatedList");
    for (var region :
        resultPage.items().stream().map(ResourcePolicy::getRegion).distinct().toList()) {
      var own = resultPage.items().stream().filter(p -> p.getRegion().equals(region)).toList();
      list.putItems(
          "regions/" + ResourceLinks.last(region),
          ResourcePoliciesScopedList.newBuilder().addAllResourcePolicies(own).build());
    }
    resultPage.ifMore(list::setNextPageToken);
    return list.build();
  }

  Operation insertPolicy(String region, ResourcePolicy asked) {
    computeMachines.policies().insert(region, asked, cloudContext.clock().instant());
    return done("insert", asked.getName());
  }

  Operation deletePolicy(String region, String name) {
    computeMachines.policies().delete(region, name, computeMachines.instances());
    return done("delete", name);
  }

  Message disk(ComputeMachine.Key key) {
    return computeMachines.disks().get(key, computeMachines.instances());
  }

  Operation insertDisk(String zone, Disk asked) {
    computeMachines
        .disks()
        .insert(zone, asked, computeMachines.instances(), cloudContext.clock().instant());
    return done("insert", asked.getName());
  }

  Operation deleteDisk(ComputeMachine.Key key) {
    computeMachines.disks().delete(key, computeMachines.instances());
    return done("delete", key.name());
  }

  Operation insertAddress(String region, Address asked) {
    computeMachines.addresses().insert(region, asked, cloudContext.clock().instant());
    return done("insert", asked.getName());
  }

  Operation deleteAddress(String region, String name) {
    computeMachines.addresses().delete(region, name);
    return done("delete", name);
  }

  private static Operation done(String type, String name) {
    return Operation.newBuilder()
        .setName("operation-" + type + "-" + name)
        .setOperationType(type)
        .setStatus(Operation.Status.DONE)
        .setProgress(100)
        .build();
  }
}
