package dev.mayfly.local.machines.compute;

import com.google.cloud.compute.v1.AttachedDisk;
import com.google.cloud.compute.v1.Disk;
import com.google.cloud.compute.v1.Instance;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.machines.FaultControls;
import dev.mayfly.local.machines.StoredValues;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The disks: those of machines, derived from the instances, and unattached disks, stored in a file
 * each.
 */
final class PersistentDisks {
  private final ResourceLinks resourceLinks;
  private final FaultControls faultControls;

  /** Those that no machine uses. */
  private final StoredValues<Disk> alone;

  PersistentDisks(ResourceLinks resourceLinks, FaultControls faultControls, Path folder) {
    this.resourceLinks = resourceLinks;
    this.faultControls = faultControls;
    this.alone = StoredValues.json(folder, Disk.getDefaultInstance(), disk -> file(key(disk)));
  }

  /** All disks, including those of {@code machines}. */
  List<Disk> all(List<Instance> machines) {
    var all = new ArrayList<>(alone.list(disk -> true));
    machines.forEach(machine -> all.addAll(of(machine)));
    return all;
  }

  /** After a machine's deletion, keeps the disks that are not deleted with it, unattached. */
  void machineDeleted(Instance machine) {
    var disks = of(machine);
    for (var i = 0; i < disks.size(); i++)
      if (!machine.getDisks(i).getAutoDelete() || faultControls.takeStayingDisk())
        alone.put(disks.get(i).toBuilder().clearUsers().build());
  }

  /**
   * Makes a disk that no machine uses.
   *
   * @throws ApiError (409) when there is one of that name
   */
  Disk insert(String zone, Disk asked, List<Instance> machines, Instant now) {
    InstanceValidator.checkName(asked.getName());
    InstanceValidator.checkLabels(asked.getLabelsMap());
    var key = new ComputeMachine.Key(zone, asked.getName());
    if (all(machines).stream().anyMatch(disk -> key(disk).equals(key)))
      throw ResourceLinks.taken(path(key));
    return alone.put(described(asked.toBuilder(), key, now.toString()).build());
  }

  /**
   * Deletes a disk at once.
   *
   * @throws ApiError (404) when it is not there, (400) when a machine uses it
   */
  void delete(ComputeMachine.Key key, List<Instance> machines) {
    get(key, machines).getUsersList().stream()
        .findFirst()
        .ifPresent(user -> {
          throw new ApiError(
              400,
              "resourceInUseByAnotherResource",
              "The disk resource '" + path(key) + "' is already being used by '" + user + "'");
        });
    alone.remove(file(key));
  }

  /**
   * @throws ApiError (404) when it is not there
   */
  Disk get(ComputeMachine.Key key, List<Instance> machines) {
    return all(machines).stream()
        .filter(disk -> key(disk).equals(key))
        .findFirst()
        .orElseThrow(() -> ResourceLinks.missing(path(key)));
  }

  private List<Disk> of(Instance machine) {
    var disks = new ArrayList<Disk>();
    for (var i = 0; i < machine.getDisksCount(); i++) {
      var attached = machine.getDisks(i);
      var key =
          new ComputeMachine.Key(ResourceLinks.last(machine.getZone()), name(machine, attached, i));
      var disk =
          Disk.newBuilder()
              .putAllLabels(attached.getInitializeParams().getLabelsMap())
              .setSizeGb(attached.getInitializeParams().getDiskSizeGb())
              .addUsers(machine.getSelfLink());
      disks.add(described(disk, key, machine.getCreationTimestamp()).build());
    }
    return disks;
  }

  private static String name(Instance machine, AttachedDisk disk, int number) {
    var asked = disk.getInitializeParams().getDiskName();
    if (!asked.isEmpty()) return asked;
    return number == 0 ? machine.getName() : machine.getName() + "-" + number;
  }

  private Disk.Builder described(Disk.Builder disk, ComputeMachine.Key key, String created) {
    return disk.setKind("compute#disk")
        .setName(key.name())
        .setZone(resourceLinks.zone(key.zone()))
        .setStatus("READY")
        .setSelfLink(resourceLinks.zone(key.zone()) + "/disks/" + key.name())
        .setCreationTimestamp(created);
  }

  private static ComputeMachine.Key key(Disk disk) {
    return new ComputeMachine.Key(ResourceLinks.last(disk.getZone()), disk.getName());
  }

  private static String file(ComputeMachine.Key key) {
    return key.zone() + "." + key.name();
  }

  private String path(ComputeMachine.Key key) {
    return resourceLinks.inZone(key.zone(), "disks", key.name());
  }
}
