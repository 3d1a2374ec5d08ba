package dev.mayfly.local.machines.tpu;

import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The limits of Cloud TPU: creations per minute, and chips per zone or reservation. */
final class TpuLimits {
  /** Creations per minute and project. */
  static final int CREATIONS = 60;

  private final ArrayDeque<Instant> created = new ArrayDeque<>();
  private final Map<String, Integer> reservations = new HashMap<>();
  private OptionalInt chips = OptionalInt.empty();

  /** Limits the chips of one generation for all nodes of a zone; empty for no limit. */
  synchronized void setChips(OptionalInt most) {
    chips = most;
  }

  /**
   * Makes a reservation of so many chips; empty removes it.
   *
   * @param name empty for the unnamed reservation
   */
  synchronized void setReservation(String name, OptionalInt most) {
    if (most.isPresent()) reservations.put(name, most.getAsInt());
    else reservations.remove(name);
  }

  /** Whether there is a reservation of that name. */
  synchronized boolean hasReservation(String name) {
    return reservations.containsKey(name);
  }

  /**
   * Whether the reservation, if any, has this many chips in total. One that is not known has: it is
   * the unnamed one, or was made before this cloud was restarted.
   */
  synchronized boolean isReserved(Optional<String> reservation, int chips) {
    return reservation.isEmpty()
        || chips <= reservations.getOrDefault(reservation.get(), Integer.MAX_VALUE);
  }

  /** Counts a creation. */
  synchronized void countCreation(Instant now) {
    while (!created.isEmpty() && created.getFirst().isBefore(now.minus(Duration.ofMinutes(1)))) {
      created.removeFirst();
    }
    if (created.size() >= CREATIONS) {
      throw Status.RESOURCE_EXHAUSTED
          .withDescription(
              "Quota exceeded for quota metric 'Create node requests' and limit 'Create node"
                  + " requests per minute' of service 'tpu.googleapis.com'")
          .asRuntimeException();
    }
    created.addLast(now);
  }

  /**
   * @param inUse the chips of that generation in use by the zone's nodes, including dead nodes
   */
  synchronized Optional<Status> overQuota(String generation, String zone, int inUse, int wanted) {
    if (chips.isEmpty() || inUse + wanted <= chips.getAsInt()) {
      return Optional.empty();
    }
    return Optional.of(
        Status.RESOURCE_EXHAUSTED.withDescription(
            "Quota limit 'TPU%sPerProjectPerZoneForTPUAPI' has been exceeded. Limit: %d in zone %s."
                .formatted(generation.toUpperCase(Locale.ROOT), chips.getAsInt(), zone)));
  }
}
