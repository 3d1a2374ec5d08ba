package dev.mayfly.local.machines.compute;

import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.Scheduling;
import dev.mayfly.core.catalog.BootDisk;
import dev.mayfly.core.catalog.TpuMachine;
import dev.mayfly.local.http.ApiError;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Validates instances like Compute Engine: refuses with 400 and the name of the field. */
final class InstanceValidator {
  private static final Pattern NAME = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern LABEL_KEY = Pattern.compile("[a-z][a-z0-9_-]{0,62}");
  private static final Pattern LABEL_VALUE = Pattern.compile("[a-z0-9_-]{0,63}");
  private static final Pattern METADATA_KEY = Pattern.compile("[a-zA-Z0-9_-]{1,128}");
  private static final int LABELS = 64;
  private static final int METADATA_VALUE = 256 * 1024;
  private static final long SHORTEST_RUN_SECONDS = 30;
  private static final long LONGEST_RUN_SECONDS = 120L * 24 * 3600;

  private static final long LONGEST_FLEX_SECONDS = 7L * 24 * 3600;

  private InstanceValidator() {}

  /**
   * @return the shape of the requested machine
   */
  static MachineShape check(Instance asked) {
    checkName(asked.getName());
    checkLabels(asked.getLabelsMap());
    checkMetadata(asked);
    checkScheduling(asked.getScheduling());
    checkPurchase(asked);
    checkTpu(asked);
    demand(
        asked.getDisksList().stream().anyMatch(disk -> disk.getBoot()),
        "disks",
        asked.getDisksCount() + " disks",
        "at least one with boot = true");
    demand(asked.getNetworkInterfacesCount() > 0, "networkInterfaces", "", "at least one of them");
    return MachineShape.of(ResourceLinks.last(asked.getMachineType()))
        .orElseThrow(() ->
            refused(
                "machineType", asked.getMachineType(), "The referenced resource does not exist."));
  }

  /** The name of any resource; zones and regions keep the same rule. */
  static void checkName(String name) {
    demand(NAME.matcher(name).matches(), "name", name, NAME.pattern());
  }

  static void checkLabels(Map<String, String> labels) {
    demand(labels.size() <= LABELS, "labels", labels.size() + " labels", "at most " + LABELS);
    labels.forEach((key, value) -> {
      demand(LABEL_KEY.matcher(key).matches(), "labels", key, LABEL_KEY.pattern());
      demand(LABEL_VALUE.matcher(value).matches(), "labels", value, LABEL_VALUE.pattern());
    });
  }

  private static void checkMetadata(Instance asked) {
    for (var item : asked.getMetadata().getItemsList()) {
      demand(
          METADATA_KEY.matcher(item.getKey()).matches(),
          "metadata.items.key",
          item.getKey(),
          METADATA_KEY.pattern());
      demand(
          item.getValue().length() <= METADATA_VALUE,
          "metadata.items.value",
          item.getKey() + " of " + item.getValue().length() + " characters",
          "at most " + METADATA_VALUE);
    }
  }

  private static void checkScheduling(Scheduling scheduling) {
    var spot = isSpot(scheduling);
    demand(
        !spot || !scheduling.getAutomaticRestart(),
        "scheduling.automaticRestart",
        "true",
        "false for a Spot machine");
    demand(
        !spot || !scheduling.getOnHostMaintenance().equals("MIGRATE"),
        "scheduling.onHostMaintenance",
        "MIGRATE",
        "TERMINATE for a Spot machine");
    var limited = scheduling.hasMaxRunDuration() || scheduling.hasTerminationTime();
    demand(
        spot || limited || !scheduling.hasInstanceTerminationAction(),
        "scheduling.instanceTerminationAction",
        scheduling.getInstanceTerminationAction(),
        "set for Spot machines or with maxRunDuration only");
    var seconds = scheduling.getMaxRunDuration().getSeconds();
    demand(
        !scheduling.hasMaxRunDuration()
            || (seconds >= SHORTEST_RUN_SECONDS && seconds <= LONGEST_RUN_SECONDS),
        "scheduling.maxRunDuration",
        seconds + " s",
        "from 30 s to 120 days");
  }

  /** Checks the fields that depend on provisioning and GPUs. */
  private static void checkPurchase(Instance asked) {
    var scheduling = asked.getScheduling();
    var affinity = asked.getReservationAffinity();
    var specific = affinity.getConsumeReservationType().equals("SPECIFIC_RESERVATION");
    demand(
        !specific || affinity.getValuesCount() > 0,
        "reservationAffinity.values",
        "",
        "the reservation's name");
    var flex = scheduling.getProvisioningModel().equals("FLEX_START");
    var seconds = scheduling.getMaxRunDuration().getSeconds();
    demand(
        !flex || (seconds > 0 && seconds <= LONGEST_FLEX_SECONDS),
        "scheduling.maxRunDuration",
        seconds + " s",
        "at most 7 days for FLEX_START");
    demand(
        !flex || affinity.getConsumeReservationType().equals("NO_RESERVATION"),
        "reservationAffinity.consumeReservationType",
        affinity.getConsumeReservationType(),
        "NO_RESERVATION for FLEX_START");
    var gpus =
        asked.getGuestAcceleratorsCount() > 0
            || MachineShape.of(ResourceLinks.last(asked.getMachineType()))
                .filter(s -> s.gpus() > 0)
                .isPresent();
    demand(
        !gpus || isSpot(scheduling) || scheduling.getOnHostMaintenance().equals("TERMINATE"),
        "scheduling.onHostMaintenance",
        scheduling.getOnHostMaintenance(),
        "TERMINATE for a machine with GPUs");
  }

  /** Checks what machines with TPU chips need. */
  private static void checkTpu(Instance asked) {
    var type = ResourceLinks.last(asked.getMachineType());
    if (TpuMachine.image(type).isEmpty()) return;
    var scheduling = asked.getScheduling();
    demand(
        scheduling.getOnHostMaintenance().equals("TERMINATE"),
        "scheduling.onHostMaintenance",
        scheduling.getOnHostMaintenance(),
        "TERMINATE for a machine with TPUs");
    TpuMachine.of(type)
        .map(TpuMachine::threadsPerCore)
        .filter(OptionalInt::isPresent)
        .ifPresent(threads -> {
          var said = asked.getAdvancedMachineFeatures().getThreadsPerCore();
          demand(
              said == threads.getAsInt(),
              "advancedMachineFeatures.threadsPerCore",
              Integer.toString(said),
              threads.getAsInt() + " for " + type);
        });
    for (var disk : asked.getDisksList()) {
      var named = ResourceLinks.last(disk.getInitializeParams().getDiskType());
      demand(
          named.isEmpty() || !takesHyperdiskAlone(type) || named.startsWith("hyperdisk-"),
          "disks.initializeParams.diskType",
          named,
          "a Hyperdisk for " + type);
    }
  }

  private static boolean takesHyperdiskAlone(String type) {
    return BootDisk.usualType(type).filter(usual -> usual.startsWith("hyperdisk-")).isPresent();
  }

  /** Refuses a machine that names a reservation which does not exist. */
  static void checkReservation(Instance asked, Predicate<String> exists) {
    for (var named : asked.getReservationAffinity().getValuesList()) {
      var name = ResourceLinks.last(named);
      demand(
          exists.test(name),
          "reservationAffinity.values",
          named,
          "a reservation that exists; on a laptop cloud one is made by: mayfly local reservation name="
              + name);
    }
  }

  /** Whether the machine may be preempted. */
  static boolean isSpot(Scheduling scheduling) {
    return scheduling.getProvisioningModel().equals("SPOT") || scheduling.getPreemptible();
  }

  private static void demand(boolean kept, String field, String value, String rule) {
    if (!kept) {
      throw refused(field, value, "It must be: " + rule);
    }
  }

  private static ApiError refused(String field, String value, String why) {
    return ApiError.invalid(
        "Invalid value for field 'resource.%s': '%s'. %s".formatted(field, value, why));
  }
}
