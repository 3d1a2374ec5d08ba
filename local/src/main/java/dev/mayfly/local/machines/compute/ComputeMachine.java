package dev.mayfly.local.machines.compute;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.Items;
import dev.mayfly.local.access.LocalAccounts;
import dev.mayfly.local.machines.FakeGpu;
import dev.mayfly.local.machines.VmHandle;
import dev.mayfly.local.machines.VmSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/**
 * The stored state of one machine.
 *
 * @param instance the instance as the API shows it
 * @param bootAt when the boot command is due
 * @param handle the handle of its processes, once it has booted
 * @param termination what ends the machine, once that is known
 */
record ComputeMachine(
    Instance instance,
    Instant bootAt,
    @JsonProperty("trace") Optional<VmHandle> handle,
    @JsonProperty("fate") Optional<Termination> termination) {
  /** The identity of an existing machine. */
  record Key(String zone, String name) {}

  Key key() {
    return new Key(zone(), instance.getName());
  }

  String id() {
    return Long.toUnsignedString(instance.getId());
  }

  /** The address for other machines. */
  String address() {
    return instance.getNetworkInterfacesCount() == 0
        ? ""
        : instance.getNetworkInterfaces(0).getNetworkIP();
  }

  String zone() {
    return ResourceLinks.last(instance.getZone());
  }

  ComputeMachine withStatus(String status) {
    return withInstance(instance.toBuilder().setStatus(status).build());
  }

  ComputeMachine withInstance(Instance changed) {
    return new ComputeMachine(changed, bootAt, handle, termination);
  }

  ComputeMachine withHandle(VmHandle found) {
    return new ComputeMachine(instance, bootAt, Optional.of(found), termination);
  }

  ComputeMachine withTermination(Termination known) {
    return new ComputeMachine(instance, bootAt, handle, Optional.of(known));
  }

  /** When the machine's maximum run duration ends, if it has one. */
  Optional<Instant> expiry() {
    return Optional.of(instance.getScheduling().getTerminationTime())
        .filter(time -> !time.isEmpty())
        .map(Instant::parse);
  }

  VmSpec spec(String project) {
    var shape = MachineShape.of(ResourceLinks.last(instance.getMachineType())).orElseThrow();
    var attributes = new HashMap<String, String>();
    for (Items item : instance.getMetadata().getItemsList()) {
      attributes.put(item.getKey(), item.getValue());
    }
    var account =
        instance.getServiceAccountsCount() == 0
            ? LocalAccounts.machines(project)
            : instance.getServiceAccounts(0).getEmail();
    return new VmSpec(
        id(),
        instance.getName(),
        zone(),
        project,
        shape.name(),
        shape.cpus(),
        shape.memoryMb(),
        account,
        InstanceValidator.isSpot(instance.getScheduling()),
        address(),
        attributes,
        gpus(instance, shape));
  }

  /** The GPUs of a machine: the type's and the added ones. */
  static List<FakeGpu> gpus(Instance asked, MachineShape shape) {
    var gpus =
        new ArrayList<>(
            Collections.nCopies(shape.gpus(), new FakeGpu(shape.gpu(), shape.gpuMemoryMib())));
    for (var added : asked.getGuestAcceleratorsList()) {
      var type = ResourceLinks.last(added.getAcceleratorType());
      var gpu = new FakeGpu(type.replace("nvidia-", "NVIDIA "), MachineShape.gpuMemoryMib(type));
      gpus.addAll(Collections.nCopies(added.getAcceleratorCount(), gpu));
    }
    return gpus;
  }
}
