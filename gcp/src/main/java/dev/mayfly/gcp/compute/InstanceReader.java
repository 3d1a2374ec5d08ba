package dev.mayfly.gcp.compute;

import com.google.cloud.compute.v1.Instance;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.CloudMachine;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

/** Reads Compute Engine's instances. */
final class InstanceReader {
  private InstanceReader() {}

  /** Throws {@link UnavailableException} for an instance that exists but cannot be interpreted. */
  static CloudMachine machine(Instance instance) {
    var zone = instance.getZone().substring(instance.getZone().lastIndexOf('/') + 1);
    return new CloudMachine(
        new CloudMachine.Name(zone, instance.getName()),
        Long.toUnsignedString(instance.getId()),
        status(instance.getStatus()),
        instance.getLabelsMap(),
        created("machine " + instance.getName(), instance.getCreationTimestamp()));
  }

  static Instant created(String what, String time) {
    try {
      return OffsetDateTime.parse(time).toInstant();
    } catch (DateTimeParseException e) {
      throw new UnavailableException(
          "%s exists, but its age is unknown: its creation time is '%s'".formatted(what, time), e);
    }
  }

  private static CloudMachine.Status status(String word) {
    return switch (word) {
      case "PENDING" -> CloudMachine.Status.QUEUED;
      case "PROVISIONING", "STAGING" -> CloudMachine.Status.STARTING;
      case "RUNNING" -> CloudMachine.Status.RUNNING;
      case "STOPPING", "SUSPENDING", "DEPROVISIONING" -> CloudMachine.Status.STOPPING;
      case "TERMINATED", "STOPPED", "SUSPENDED" -> CloudMachine.Status.STOPPED;
      // REPAIRING, and states that do not exist yet.
      default -> CloudMachine.Status.UNKNOWN;
    };
  }
}
