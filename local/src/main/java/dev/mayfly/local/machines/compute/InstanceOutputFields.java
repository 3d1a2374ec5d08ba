package dev.mayfly.local.machines.compute;

import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.Scheduling;
import com.google.protobuf.ByteString;
import dev.mayfly.local.http.ApiError;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Map;

/** What Compute Engine adds to an instance that it has accepted. */
final class InstanceOutputFields {
  private InstanceOutputFields() {}

  /**
   * @param address its address, from {@link InternalAddresses}
   */
  static Instance of(
      Instance asked,
      MachineShape shape,
      ResourceLinks resourceLinks,
      String zone,
      long id,
      String address,
      Instant now) {
    var instance =
        asked.toBuilder()
            .setKind("compute#instance")
            .setId(id)
            .setZone(resourceLinks.zone(zone))
            .setSelfLink(resourceLinks.instance(zone, asked.getName()))
            .setMachineType(resourceLinks.machineType(zone, shape.name()))
            .setStatus("PROVISIONING")
            .setCreationTimestamp(now.truncatedTo(ChronoUnit.MILLIS).toString())
            .setCpuPlatform("Laptop")
            .setLabelFingerprint(fingerprint(asked.getLabelsMap()))
            .setScheduling(scheduling(asked.getScheduling()));
    instance.getNetworkInterfacesBuilder(0).setNetworkIP(address);
    return instance.build();
  }

  /** The fingerprint of the labels, which changes with them. */
  static String fingerprint(Map<String, String> labels) {
    var bytes = ByteString.copyFromUtf8(Integer.toHexString(labels.hashCode()));
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  /** The instance from the start of its boot command. */
  static Instance started(Instance instance, Instant now) {
    var scheduling = instance.getScheduling();
    var running =
        instance.toBuilder()
            .setStatus("RUNNING")
            .setLastStartTimestamp(now.truncatedTo(ChronoUnit.MILLIS).toString());
    if (scheduling.hasMaxRunDuration() && !scheduling.hasTerminationTime()) {
      var end = now.plusSeconds(scheduling.getMaxRunDuration().getSeconds());
      running.getSchedulingBuilder().setTerminationTime(end.toString());
    }
    return running.build();
  }

  private static Scheduling scheduling(Scheduling asked) {
    var scheduling = asked.toBuilder();
    if (InstanceValidator.isSpot(asked)) {
      scheduling
          .setProvisioningModel("SPOT")
          .setPreemptible(true)
          .setAutomaticRestart(false)
          .setOnHostMaintenance("TERMINATE");
      if (!asked.hasInstanceTerminationAction()) {
        scheduling.setInstanceTerminationAction("STOP");
      }
    } else if (!asked.hasProvisioningModel()) {
      scheduling.setProvisioningModel("STANDARD");
    }
    if (asked.hasTerminationTime()) {
      scheduling.setTerminationTime(instant(asked.getTerminationTime()).toString());
    }
    return scheduling.build();
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw ApiError.invalid(
          "Invalid value for field 'resource.scheduling.terminationTime': '%s'. It must be a time of RFC 3339"
              .formatted(text),
          e);
    }
  }
}
