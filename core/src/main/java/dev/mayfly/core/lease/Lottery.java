package dev.mayfly.core.lease;

import dev.mayfly.core.model.Turns;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Draws whose work a worker gets, among owners whose jobs have one priority: by the weights that
 * the last round gave them. It needs no counter and no memory, so any number of instances may draw
 * side by side.
 *
 * <p>The ticket of an owner is a hash of its name and of a salt that is new at each draw; who has
 * the least {@code -ln(ticket) / weight} wins, which is as often as its weight says (Efraimidis and
 * Spirakis, "Weighted random sampling with a reservoir", 2006). Equal draws give equal winners.
 */
public final class Lottery {
  private Lottery() {}

  /** The rows of each priority, the highest first, each in the order of turns. */
  public static List<List<Turns.Row>> bands(List<Turns.Row> rows) {
    var bands = new LinkedHashMap<Integer, List<Turns.Row>>();
    rows.stream()
        .sorted(Turns.ORDER)
        .forEach(r -> bands.computeIfAbsent(r.priority(), _ -> new ArrayList<>()).add(r));
    return List.copyOf(bands.values());
  }

  /** Whether there is anything to draw: jobs of two owners. */
  public static boolean shared(List<Turns.Row> band) {
    return band.stream().map(Turns.Row::owner).distinct().limit(2).count() > 1;
  }

  /**
   * The oldest job of the owner that is drawn.
   *
   * @param wanted which jobs the worker could take
   * @param salt of this draw
   */
  public static Optional<Turns.Row> draw(
      List<Turns.Row> band, Predicate<Turns.Row> wanted, String salt) {
    Map<String, Turns.Row> oldest = new LinkedHashMap<>();
    for (var row : band) if (wanted.test(row)) oldest.putIfAbsent(row.owner(), row);
    return oldest.values().stream()
        .min(Comparator.comparingDouble(r -> -Math.log(ticket(salt, r.owner())) / r.weight()));
  }

  /** In (0, 1]. */
  private static double ticket(String salt, String owner) {
    var hash = 0L;
    for (var i = 0; i < salt.length(); i++) hash = 31 * hash + salt.charAt(i);
    hash = mixed(hash);
    for (var i = 0; i < owner.length(); i++) hash = 31 * hash + owner.charAt(i);
    return ((mixed(hash) >>> 11) + 1) * 0x1p-53;
  }

  /** David Stafford's variant 13 of MurmurHash3's finalizer, as in {@code SplittableRandom}. */
  private static long mixed(long value) {
    var z = value + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
