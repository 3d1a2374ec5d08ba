package dev.mayfly.gcp.compute;

import com.google.cloud.compute.v1.Duration;
import com.google.cloud.compute.v1.ReservationAffinity;
import com.google.cloud.compute.v1.Scheduling;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import java.util.Optional;

/** How a pool's machines are bought, in Compute Engine's words. */
final class ProvisioningOptions {
  private static final java.time.Duration LONGEST_FLEX = java.time.Duration.ofDays(7);

  private ProvisioningOptions() {}

  /**
   * Whatever becomes of us, the machine is deleted when its life is over.
   *
   * @throws IllegalArgumentException when machines are not bought so
   */
  static Scheduling scheduling(PoolSpec pool) {
    var how = pool.provisioning();
    check(pool);
    return Scheduling.newBuilder()
        .setAutomaticRestart(false)
        // No machine with GPUs can be moved while it runs, and tasks are cheap to repeat.
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

  /** Which reservation pays; empty: Compute Engine's own rule, which is any that fits. */
  static Optional<ReservationAffinity> reservation(PoolSpec pool) {
    return switch (pool.provisioning()) {
      case RESERVED -> pool.machine().reservation().map(ProvisioningOptions::specific);
      // Neither may be paid from a reservation; to say so is asked for of flex-start.
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
    if (pool.provisioning() == Provisioning.STATIC) {
      throw new IllegalArgumentException(
          "Pool %s is static: its machines join by themselves and are not ordered"
              .formatted(pool.name()));
    }
    if (pool.provisioning() == Provisioning.FLEX_START && pool.life().compareTo(LONGEST_FLEX) > 0) {
      throw new IllegalArgumentException(
          "Pool %s: life is %s, and flex-start machines live 7 days at most; write life: 7d or less"
              .formatted(pool.name(), pool.life()));
    }
  }
}
