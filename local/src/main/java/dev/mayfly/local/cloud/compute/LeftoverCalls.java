package dev.mayfly.local.cloud.compute;

import com.google.cloud.compute.v1.Address;
import com.google.cloud.compute.v1.AddressAggregatedList;
import com.google.cloud.compute.v1.AddressesScopedList;
import com.google.cloud.compute.v1.Disk;
import com.google.cloud.compute.v1.DiskAggregatedList;
import com.google.cloud.compute.v1.DisksScopedList;
import com.google.cloud.compute.v1.Operation;
import com.google.protobuf.Message;
import dev.mayfly.local.cloud.http.Query;

/** The calls about disks and static addresses; all of them are done when they are answered. */
final class LeftoverCalls {
  private final Machines machines;
  private final Site site;

  LeftoverCalls(Machines machines, Site site) {
    this.machines = machines;
    this.site = site;
  }

  Message disks(Query query) {
    var filter = Filter.parse(query.text("filter"));
    var all = machines.disks().all(machines.instances()).stream().filter(filter::matches).toList();
    var page = Page.of(all, Disk::getSelfLink, query);
    var list = DiskAggregatedList.newBuilder().setKind("compute#diskAggregatedList");
    for (var zone : Zones.names()) {
      var own = page.items().stream().filter(d -> Links.last(d.getZone()).equals(zone)).toList();
      if (!own.isEmpty())
        list.putItems("zones/" + zone, DisksScopedList.newBuilder().addAllDisks(own).build());
    }
    if (!page.next().isEmpty()) list.setNextPageToken(page.next());
    return list.build();
  }

  Message addresses(Query query) {
    var filter = Filter.parse(query.text("filter"));
    var all = machines.addresses().all().stream().filter(filter::matches).toList();
    var page = Page.of(all, Address::getSelfLink, query);
    var list = AddressAggregatedList.newBuilder().setKind("compute#addressAggregatedList");
    for (var region : page.items().stream().map(Address::getRegion).distinct().toList()) {
      var own = page.items().stream().filter(a -> a.getRegion().equals(region)).toList();
      list.putItems(
          "regions/" + Links.last(region),
          AddressesScopedList.newBuilder().addAllAddresses(own).build());
    }
    if (!page.next().isEmpty()) list.setNextPageToken(page.next());
    return list.build();
  }

  Message disk(Machine.Key key) {
    return machines.disks().get(key, machines.instances());
  }

  Operation insertDisk(String zone, Disk asked) {
    machines.disks().insert(zone, asked, machines.instances(), site.clock().instant());
    return done("insert", asked.getName());
  }

  Operation deleteDisk(Machine.Key key) {
    machines.disks().delete(key, machines.instances());
    return done("delete", key.name());
  }

  Operation insertAddress(String region, Address asked) {
    machines.addresses().insert(region, asked, site.clock().instant());
    return done("insert", asked.getName());
  }

  Operation deleteAddress(String region, String name) {
    machines.addresses().delete(region, name);
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
