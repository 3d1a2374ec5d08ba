package dev.mayfly.core.dispatch;

import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.ElapsedTime;
import dev.mayfly.core.state.SyncContext;
import dev.mayfly.core.state.worker.DueTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Which of a job's tasks this instance looks at first, so that instances rarely want one shard at
 * once: they share the tasks out evenly, in the order of their names, among those of them that
 * wrote beats of late. An instance that nobody knows of yet only costs conflicts.
 */
public final class InstancePartition {
  private static final Duration LIVE = Duration.ofSeconds(60);

  /** Tasks from {@code from} to before {@code to}. */
  record TaskRange(long from, long to) {
    boolean has(long start) {
      return start >= from && start < to;
    }
  }

  private final SyncContext syncContext;
  private final Supplier<Optional<DueTimes.InstanceHeartbeats>> judged;
  private final String cluster;
  private final String instance;
  private Instant looked = Instant.EPOCH;
  private Map<String, Instant> known = Map.of();
  private boolean doubted;

  /**
   * @param judged when each instance wrote its beats, as the judge read it last
   */
  public InstancePartition(
      SyncContext syncContext,
      Supplier<Optional<DueTimes.InstanceHeartbeats>> judged,
      String cluster,
      String instance) {
    this.syncContext = syncContext;
    this.judged = judged;
    this.cluster = cluster;
    this.instance = instance;
  }

  TaskRange range(long tasks) {
    var names = names();
    var place = names.headSet(instance).size();
    return new TaskRange(tasks * place / names.size(), tasks * (place + 1) / names.size());
  }

  /** How many instances grant leases, this one among them. */
  int instances() {
    return names().size();
  }

  private TreeSet<String> names() {
    var now = syncContext.clock().instant();
    var names = new TreeSet<String>();
    names.add(instance);
    written(now)
        .forEach((name, at) -> {
          if (!name.equals(DueTimes.ROUNDS) && !ElapsedTime.hasPassed(at, LIVE, now))
            names.add(name);
        });
    return names;
  }

  /** Somebody else took what is this instance's: there may be one that it does not know. */
  void noteConflict() {
    doubted = true;
  }

  /**
   * When each instance wrote beats last. It is read once when work is dealt first, for instances
   * begin together and hear of each other late; then what the judge reads anyway will do.
   */
  private Map<String, Instant> written(Instant now) {
    var instanceHeartbeats = judged.get().filter(h -> h.at().isAfter(looked));
    var old = ElapsedTime.hasPassed(looked, LIVE, now);
    if (doubted || (old && (looked.equals(Instant.EPOCH) || instanceHeartbeats.isEmpty()))) {
      var beats = syncContext.ledger().query(new LedgerQuery.AllHeartbeats(cluster)).readableOnly();
      known = DueTimes.InstanceHeartbeats.of(beats, now).written();
      looked = now;
      doubted = false;
    } else if (instanceHeartbeats.isPresent()) {
      known = instanceHeartbeats.get().written();
      looked = instanceHeartbeats.get().at();
    }
    return known;
  }
}
