package dev.mayfly.core.control;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Turns;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A waiting call, with the room that is left on its worker while a pass goes on. */
final class Buyer {
  final Call call;
  private final List<Turns.Row> gangs;
  private final boolean slice;
  private Resources room;
  private final Map<String, Long> appetite;
  private final Set<String> fed = new HashSet<>();

  /**
   * @param gangs that wait for workers like this one
   */
  Buyer(Call call, List<Turns.Row> gangs) {
    this.call = call;
    this.gangs = gangs;
    slice = Hosts.several(call.worker());
    room = call.report.room();
    appetite = call.report.appetite();
  }

  /** How many tasks of the job it takes. */
  long want(Turns.Row row) {
    // A gang needs several workers at once: a round finds them, among those that others leave to
    // it.
    if (row.gang() > 1 || gangs.stream().anyMatch(g -> Turns.ORDER.compare(g, row) < 0)) return 0;
    if (slice)
      return fed.isEmpty() && row.place().slices(row.need()) && room.slots(row.need()) > 0 ? 1 : 0;
    var fits = Math.max(0, room.slots(row.need()));
    return fed.contains(row.job()) ? fits : Math.max(fits, appetite.getOrDefault(row.job(), 0L));
  }

  void took(Turns.Row row, List<Shard> shards) {
    var open = shards.stream().mapToLong(Shard::open).sum();
    fed.add(row.job());
    room = room.minus(row.need().times(Math.min(open, Math.max(0, room.slots(row.need())))));
  }

  /** Whether its worker has several hosts, which run one task together. */
  boolean isSlice() {
    return slice;
  }

  /** Whether its worker has nothing to do, nor got anything in this pass. */
  boolean isIdle() {
    return call.worker().held().isEmpty() && fed.isEmpty();
  }

  /** Whether it got anything in this pass. */
  boolean isFed() {
    return !fed.isEmpty();
  }
}
