package dev.mayfly.gcp.compute;

import com.google.cloud.compute.v1.Duration;
import com.google.cloud.compute.v1.InstanceParams;
import com.google.cloud.compute.v1.ReservationAffinity;
import com.google.cloud.compute.v1.Scheduling;
import dev.mayfly.core.catalog.FlexStart;
import dev.mayfly.core.catalog.PoolOption;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import java.util.Optional;

/** Maps a pool's provisioning to Compute Engine's options. */
final class ProvisioningOptions {
  private ProvisioningOptions() {}

  /**
   * Deletes the machine at the end of its life even if the control plane is gone.
   *
   * @throws IllegalArgumentException if the machines cannot be ordered
   */
  static Scheduling scheduling(PoolSpec pool) {
    var how = pool.provisioning();
    check(pool);
    return Scheduling.newBuilder()
        .setAutomaticRestart(false)
        // Machines with GPUs cannot be live-migrated, and tasks are cheap to repeat.
        .setOnHostMaintenance("TERMINATE")
        .setInstanceTerminationAction("DELETE")
        .setMaxRunDuration(Duration.newBuilder().setSeconds(pool.life().toSeconds()))
        .setPreemptible(how == Provisioning.SPOT)
        .setProvisioningModel(
            switch (how) {
              case SPOT -> "SPOT";
              case FLEX_START -> "FLEX_START";
              case ON_DEMAND, RESERVED, STATIC -> "STANDARD";
            })
        .build();
  }

  /** How long the cloud keeps the request; empty for an order that it carries out or refuses. */
  static Optional<InstanceParams> params(PoolSpec pool) {
    return pool.provisioning() == Provisioning.FLEX_START
        ? Optional.of(
            InstanceParams.newBuilder()
                .setRequestValidForDuration(
                    Duration.newBuilder().setSeconds(FlexStart.WAIT.toSeconds()))
                .build())
        : Optional.empty();
  }

  /** The reservation to use; empty for Compute Engine's default: any that fits. */
  static Optional<ReservationAffinity> reservation(PoolSpec pool) {
    return switch (pool.provisioning()) {
      case RESERVED -> pool.machine().reservation().map(ProvisioningOptions::specific);
      // Neither may use a reservation, and flex-start requires saying so.
      case SPOT, FLEX_START ->
          Optional.of(
              ReservationAffinity.newBuilder().setConsumeReservationType("NO_RESERVATION").build());
      case ON_DEMAND, STATIC -> Optional.empty();
    };
  }

  private static ReservationAffinity specific(String name) {
    return ReservationAffinity.newBuilder()
        .setConsumeReservationType("SPECIFIC_RESERVATION")
        .setKey("compute.googleapis.com/reservation-name")
        .addValues(name)
        .build();
  }

  private static void check(PoolSpec pool) {
    PoolOption.requireCarriedOut(pool);
    if (pool.provisioning() == Provisioning.STATIC) {
      throw new IllegalArgumentException(
          "Pool %s is static: its machines join by themselves and are not ordered"
              .formatted(pool.name()));
    }
    if (pool.provisioning() == Provisioning.FLEX_START
        && pool.life().compareTo(FlexStart.LONGEST_LIFE) > 0) {
      throw new IllegalArgumentException(
          "Pool %s: life is %s, but flex-start machines live at most 7 days; write life: 7d or less"
              .formatted(pool.name(), pool.life()));
    }
  }
}
