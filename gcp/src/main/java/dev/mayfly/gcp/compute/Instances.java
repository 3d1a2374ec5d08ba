package dev.mayfly.gcp.compute;

import com.google.cloud.compute.v1.Instance;
import dev.mayfly.core.port.Machine;
import java.time.OffsetDateTime;

/** Compute Engine's instances in Mayfly's words. */
final class Instances {
  private Instances() {}

  static Machine machine(Instance instance) {
    var zone = instance.getZone().substring(instance.getZone().lastIndexOf('/') + 1);
    return new Machine(
        new Machine.Name(zone, instance.getName()),
        Long.toUnsignedString(instance.getId()),
        status(instance.getStatus()),
        instance.getLabelsMap(),
        OffsetDateTime.parse(instance.getCreationTimestamp()).toInstant());
  }

  private static Machine.Status status(String word) {
    return switch (word) {
      case "PENDING", "PROVISIONING", "STAGING" -> Machine.Status.STARTING;
      case "RUNNING" -> Machine.Status.RUNNING;
      case "STOPPING", "SUSPENDING", "DEPROVISIONING" -> Machine.Status.STOPPING;
      case "TERMINATED", "STOPPED", "SUSPENDED" -> Machine.Status.STOPPED;
      // REPAIRING, and whatever the service learns to say.
      default -> Machine.Status.UNKNOWN;
    };
  }
}
