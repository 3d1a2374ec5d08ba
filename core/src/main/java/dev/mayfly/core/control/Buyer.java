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
  private Resources room;
  private final Map<String, Long> appetite;
  private final Set<String> fed = new HashSet<>();

  Buyer(Call call) {
    this.call = call;
    room = call.report.room();
    appetite = call.report.appetite();
  }

  /** How many tasks of the job it takes. */
  long want(Turns.Row row) {
    var fits = Math.max(0, room.slots(row.need()));
    return fed.contains(row.job()) ? fits : Math.max(fits, appetite.getOrDefault(row.job(), 0L));
  }

  void took(Turns.Row row, List<Shard> shards) {
    var open = shards.stream().mapToLong(Shard::open).sum();
    fed.add(row.job());
    room = room.minus(row.need().times(Math.min(open, Math.max(0, room.slots(row.need())))));
  }

  /** Whether it got anything in this pass. */
  boolean isFed() {
    return !fed.isEmpty();
  }
}
