package dev.mayfly.core.plan;

import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.Worker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Who has how much of the machines, and how often who has less is drawn.
 *
 * <p><b>Goals:</b> owners whose jobs have one priority run as many tasks as each other; within an
 * owner, the oldest job goes first. It is reached as tasks end: nothing is killed for it. {@link
 * GivingWay} helps where leases last for long.
 */
public final class FairShare {
  private static final double MOST = 64;

  private FairShare() {}

  /**
   * The rows with weights for the lottery. Who runs less than its share is drawn more often, with
   * the square of the lack: an owner whose tasks take ten times as long would else have ten times
   * as many. They are rounded to powers of two, so that a round seldom has to write them.
   */
  public static List<Turns.Row> weighed(List<Turns.Row> rows, List<Worker> workers) {
    var slots = Shares.slots(workers);
    var byPriority = rows.stream().collect(Collectors.groupingBy(Turns.Row::priority));
    return rows.stream().map(r -> r.weighing(weight(r, byPriority, slots))).toList();
  }

  /** How many tasks each owner of these jobs runs, by name. */
  public static Map<String, Long> shares(List<Turns.Row> band, List<Worker> workers) {
    var slots = Shares.slots(workers);
    var owners = new TreeMap<String, Long>();
    for (var row : band) owners.merge(row.owner(), slots.getOrDefault(row.job(), 0L), Long::sum);
    return owners;
  }

  private static int weight(
      Turns.Row row, Map<Integer, List<Turns.Row>> byPriority, Map<String, Long> slots) {
    var owners = new HashMap<String, Long>();
    for (var r : byPriority.getOrDefault(row.priority(), List.of()))
      owners.merge(r.owner(), slots.getOrDefault(r.job(), 0L), Long::sum);
    if (owners.size() < 2) return Turns.EVEN;
    var all = owners.values().stream().mapToLong(n -> n).sum();
    var share = (double) all / owners.size();
    var lack = (share + 1) / (owners.getOrDefault(row.owner(), 0L) + 1);
    var square = Math.clamp(lack * lack, 1 / MOST, MOST);
    return (int) (Turns.EVEN * Math.pow(2, Math.rint(Math.log(square) / Math.log(2))));
  }
}
