package dev.mayfly.core.plan.waiting;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.BootTime;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.veto.ComingVeto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Machines that were ordered long ago and have not reported. */
public final class LateBoots {
  private final ClusterSnapshot snapshot;
  private final Map<String, Optional<Duration>> usual = new HashMap<>();

  public LateBoots(ClusterSnapshot snapshot) {
    this.snapshot = snapshot;
  }

  /** Those of one zone of a pool with the same cause are told as one. */
  private record Place(String pool, String zone, boolean started) {}

  /** Those of all pools, the one ordered first before. */
  public List<ComingVeto.Late> all() {
    var places = new LinkedHashMap<Place, List<Worker>>();
    snapshot.workers().stream()
        .filter(worker -> isLate(worker))
        .sorted(Comparator.comparing((Worker it) -> it.state().since()).thenComparing(Worker::name))
        .forEach(worker ->
            places
                .computeIfAbsent(
                    new Place(worker.pool(), worker.zone(), BootTime.isStarted(worker)),
                    _ -> new ArrayList<>())
                .add(worker));
    return places.entrySet().stream().map(it -> late(it.getKey(), it.getValue())).toList();
  }

  /** Whether it takes so long that something may be wrong. */
  boolean isLate(Worker worker) {
    return !(worker.state() instanceof WorkerState.Ready)
        && BootTime.isLate(worker, usual(worker.pool()), snapshot.now());
  }

  private Optional<Duration> usual(String pool) {
    return usual.computeIfAbsent(pool, name -> BootTime.usual(name, snapshot.workers()));
  }

  private ComingVeto.Late late(Place place, List<Worker> them) {
    var first = them.getFirst();
    return new ComingVeto.Late(
        first.name(),
        them.size(),
        place.pool(),
        place.zone(),
        place.started(),
        first.state().since(),
        usual(place.pool()),
        BootTime.givenUpAt(first).orElseThrow(),
        next(place));
  }

  /** Where the next one is ordered; empty if the pool has no other zone that may be asked. */
  private Optional<String> next(Place place) {
    var zones = new ZoneAvailability(snapshot.stockouts(), snapshot.now());
    return snapshot
        .cluster()
        .spec()
        .pool(place.pool())
        .flatMap(pool ->
            zones.bestZone(snapshot.cluster(), pool, zone -> !zone.equals(place.zone()), _ -> 0));
  }
}
