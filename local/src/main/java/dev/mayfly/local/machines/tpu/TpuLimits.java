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

/** What Cloud TPU does not give at once: so many creations a minute, so many chips a zone. */
final class TpuLimits {
  /** Creations a minute and project. */
  static final int CREATIONS = 60;

  private final ArrayDeque<Instant> created = new ArrayDeque<>();
  private final Map<String, Integer> reservations = new HashMap<>();
  private OptionalInt chips = OptionalInt.empty();

  /** Chips of one generation that a zone's nodes may have together; empty for no limit. */
  synchronized void setChips(OptionalInt most) {
    chips = most;
  }

  /**
   * How many chips a reservation has; empty takes the limit away.
   *
   * @param name empty for what is reserved without a name
   */
  synchronized void setReservation(String name, OptionalInt most) {
    if (most.isPresent()) reservations.put(name, most.getAsInt());
    else reservations.remove(name);
  }

  /** Whether a reservation, or none, has so many chips altogether. */
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
   * @param inUse the chips of that generation that the zone's nodes have, dead ones included
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
