package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.catalog.CatalogEntry;
import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Stockout;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Room that machines of ours gave back when they ended, which makes earlier refusals groundless:
 * for lack of quota in the region, and for lack of stock in the zone unless the cloud itself took
 * the machine. It is remembered beside the refusals, for families of machines because types of one
 * family share quota and hosts.
 */
public final class ReturnedRoom {
  /** For this long, one write speaks for all machines of a place that end together. */
  public static final Duration SAME_RETURN_WITHIN = Duration.ofSeconds(2);

  private static final String RETURNED_MARK = "returned.";
  private static final String TAKEN_MARK = "taken.";

  /** By place and family: a zone for its stock, a region for its quota. */
  private final Map<String, Instant> latest = new HashMap<>();

  /** By zone and family: when machines came back that the cloud did not take. */
  private final Map<String, List<Instant>> returns = new HashMap<>();

  public ReturnedRoom(List<Stockout> stockouts) {
    for (var each : stockouts) {
      var what = each.machineType();
      if (each.seen().isEmpty()) continue;
      if (what.startsWith(RETURNED_MARK)) {
        back(each.zone(), what.substring(RETURNED_MARK.length()), each);
        back(region(each.zone()), what.substring(RETURNED_MARK.length()), each);
        returns.put(
            each.zone() + "+" + what.substring(RETURNED_MARK.length()), List.copyOf(each.seen()));
      } else if (what.startsWith(TAKEN_MARK))
        back(region(each.zone()), what.substring(TAKEN_MARK.length()), each);
    }
  }

  private void back(String place, String family, Stockout memory) {
    latest.merge(place + "+" + family, memory.seen().getLast(), (a, b) -> a.isAfter(b) ? a : b);
  }

  private static String region(String zone) {
    return StorageLocation.region(zone);
  }

  /**
   * The key under which the end of such a machine is remembered in its zone.
   *
   * @param taken whether the cloud took it for others
   */
  public static String key(Provisioning how, String machineType, boolean taken) {
    return (taken ? TAKEN_MARK : RETURNED_MARK) + family(how, machineType);
  }

  /** Whether the document remembers returned room, and no refusal. */
  public static boolean isMemory(Stockout stockout) {
    var what = stockout.machineType();
    return what.startsWith(RETURNED_MARK) || what.startsWith(TAKEN_MARK);
  }

  private static String family(Provisioning how, String machineType) {
    return ZoneAvailability.kind(how, CatalogEntry.familyOf(machineType));
  }

  /** Until when refusals count as earlier than the last room that came back; empty if none did. */
  public Optional<Instant> endsUntil(String place, Provisioning how, String machineType) {
    return Optional.ofNullable(latest.get(place + "+" + family(how, machineType)))
        .map(at -> at.plus(SAME_RETURN_WITHIN));
  }

  /**
   * Whether the zone has had room for so many such machines since that time: as many came back.
   * Those that waited for a gang in vain are fewer, so that their own end is no reason to ask for
   * it again.
   */
  boolean isEnough(String zone, Provisioning how, String machineType, int machines, Instant since) {
    return returns.getOrDefault(zone + "+" + family(how, machineType), List.of()).stream()
            .filter(at -> at.isAfter(since))
            .count()
        >= machines;
  }

  /**
   * What of the memory still holds; empty if room came back after its last refusal.
   *
   * @param memory of refusals for lack of stock or quota of such machines
   */
  Optional<Stockout> standing(Stockout memory, Provisioning how, String machineType) {
    var until = endsUntil(memory.zone(), how, machineType);
    if (until.isEmpty()) return Optional.of(memory);
    var since = memory.seen().stream().filter(at -> at.isAfter(until.get())).toList();
    if (since.size() == memory.seen().size()) return Optional.of(memory);
    if (since.isEmpty()) return Optional.empty();
    return Optional.of(
        new Stockout(memory.zone(), memory.machineType(), memory.code(), since, memory.said()));
  }
}
