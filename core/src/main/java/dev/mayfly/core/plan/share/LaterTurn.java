package dev.mayfly.core.plan.share;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * An owner waits because of what they used lately: by what runs now alone, another's next task that
 * ends would leave its room to them.
 *
 * @param owner who waits
 * @param other whose tasks go on in that room
 * @param until then it goes to the owner, if both run what they run now
 * @param halfLife after which half of what they used is forgotten
 */
public record LaterTurn(OwnerShare owner, OwnerShare other, Instant until, Duration halfLife) {
  /**
   * Of the others, the one whose room the owner gets first; empty if the owner gets some now, or
   * waits for another reason.
   *
   * @param owners who share, the owner among them
   */
  public static Optional<LaterTurn> of(
      String owner, List<OwnerShare> owners, Duration halfLife, Instant now) {
    var mine = owners.stream().filter(it -> it.owner().equals(owner)).findFirst();
    if (mine.flatMap(OwnerShare::machines).isEmpty()) return Optional.empty();
    var others =
        owners.stream()
            .filter(it -> !it.owner().equals(owner) && it.running() > 0)
            .map(it -> new Gap(mine.get(), it))
            .toList();
    if (others.stream().anyMatch(gap -> gap.at(1) > 0)) return Optional.empty();
    return others.stream()
        .filter(gap -> gap.ofTheMoment() >= 0 && gap.at(0) > 0)
        .max(Comparator.comparingDouble(Gap::kept))
        .map(
            gap -> new LaterTurn(mine.get(), gap.other(), now.plus(gap.after(halfLife)), halfLife));
  }

  /** By how much the other is above the owner when one of the other's tasks ends. */
  private record Gap(OwnerShare mine, OwnerShare other) {
    private static double now(OwnerShare share) {
      return share.machines().orElseThrow().now();
    }

    private static double lately(OwnerShare share, double kept) {
      var it = share.machines().orElseThrow();
      return it.lately() * kept + it.now() * (1 - kept);
    }

    /**
     * What is left of the other's when one of their tasks has ended, of which each counts as much.
     */
    private double left() {
      return now(other) - now(other) / other.running();
    }

    double ofTheMoment() {
      return left() / other.weight() - now(mine) / mine.weight();
    }

    /**
     * At a moment when that much of the past still counts: 1 now, a half after a half-life. It is
     * linear in it.
     */
    double at(double kept) {
      return (left() + lately(other, kept)) / other.weight()
          - (now(mine) + lately(mine, kept)) / mine.weight();
    }

    /** What of the past still counts when the owner is first. */
    double kept() {
      return at(0) / (at(0) - at(1));
    }

    Duration after(Duration halfLife) {
      var halfLives = -StrictMath.log(kept()) / StrictMath.log(2);
      return Duration.ofMillis(Math.round(halfLives * halfLife.toMillis()));
    }
  }
}
