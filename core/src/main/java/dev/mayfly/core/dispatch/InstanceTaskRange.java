package dev.mayfly.core.dispatch;

import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.ElapsedTime;
import dev.mayfly.core.state.worker.DueTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The part of a job's tasks that this instance tries first, so that instances rarely compete for
 * one shard. Instances with recent heartbeats share the tasks evenly, in order of their names. An
 * instance that the others do not know yet only costs conflicts.
 */
public final class InstanceTaskRange {
  private static final Duration LIVE = Duration.ofSeconds(60);

  /** Tasks from {@code from} to before {@code to}. */
  record TaskRange(long from, long to) {
    boolean has(long start) {
      return start >= from && start < to;
    }
  }

  private final Context context;
  private final Supplier<Optional<DueTimes.InstanceHeartbeats>> heartbeats;
  private final String cluster;
  private final String instance;
  private Instant readAt = Instant.EPOCH;
  private Map<String, Instant> known = Map.of();
  private boolean rereadNeeded;

  /**
   * @param heartbeats when each instance last wrote heartbeats, as the liveness monitor last read
   *     it
   */
  public InstanceTaskRange(
      Context context,
      Supplier<Optional<DueTimes.InstanceHeartbeats>> heartbeats,
      String cluster,
      String instance) {
    this.context = context;
    this.heartbeats = heartbeats;
    this.cluster = cluster;
    this.instance = instance;
  }

  TaskRange range(long tasks) {
    var names = names();
    var place = names.headSet(instance).size();
    return new TaskRange(tasks * place / names.size(), tasks * (place + 1) / names.size());
  }

  /** How many instances grant leases, including this one. */
  int instances() {
    return names().size();
  }

  private TreeSet<String> names() {
    var now = context.clock().instant();
    var names = new TreeSet<String>();
    names.add(instance);
    lastWritten(now)
        .forEach((name, at) -> {
          if (!name.equals(DueTimes.ROUNDS) && !ElapsedTime.hasPassed(at, LIVE, now))
            names.add(name);
        });
    return names;
  }

  /** Another instance took a shard from this part: there may be an unknown instance. */
  void noteConflict() {
    rereadNeeded = true;
  }

  /**
   * When each instance last wrote heartbeats. The first dispatch reads it, because instances that
   * start together learn of each other late; afterwards the liveness monitor's reads are enough.
   */
  private Map<String, Instant> lastWritten(Instant now) {
    var instanceHeartbeats = heartbeats.get().filter(h -> h.at().isAfter(readAt));
    var old = ElapsedTime.hasPassed(readAt, LIVE, now);
    if (rereadNeeded || (old && (readAt.equals(Instant.EPOCH) || instanceHeartbeats.isEmpty()))) {
      var documents = context.ledger().query(new LedgerQuery.AllHeartbeats(cluster)).readableOnly();
      known = DueTimes.InstanceHeartbeats.of(documents, now).written();
      readAt = now;
      rereadNeeded = false;
    } else if (instanceHeartbeats.isPresent()) {
      known = instanceHeartbeats.get().written();
      readAt = instanceHeartbeats.get().at();
    }
    return known;
  }
}
