package dev.mayfly.gcp.compute;

import com.google.cloud.compute.v1.Instance;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.port.Machine;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

/** Compute Engine's instances in Mayfly's words. */
final class Instances {
  private Instances() {}

  /** Throws {@link Unavailable} for one that is there and whose description nobody understands. */
  static Machine machine(Instance instance) {
    var zone = instance.getZone().substring(instance.getZone().lastIndexOf('/') + 1);
    return new Machine(
        new Machine.Name(zone, instance.getName()),
        Long.toUnsignedString(instance.getId()),
        status(instance.getStatus()),
        instance.getLabelsMap(),
        created("machine " + instance.getName(), instance.getCreationTimestamp()));
  }

  static Instant created(String what, String time) {
    try {
      return OffsetDateTime.parse(time).toInstant();
    } catch (DateTimeParseException e) {
      throw new Unavailable(
          "%s is there, and nobody can tell since when: its creation time is '%s'"
              .formatted(what, time),
          e);
    }
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
