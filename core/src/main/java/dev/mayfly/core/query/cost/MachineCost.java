package dev.mayfly.core.query.cost;

/**
 * The time of machines and its price.
 *
 * @param usd of the machines whose price is known
 * @param hours of whole machines: half a machine for an hour is 0.5
 * @param unpricedHours those of {@code hours} whose price is not known: they are not in {@code usd}
 */
public record MachineCost(double usd, double hours, double unpricedHours) {
  public static final MachineCost NONE = new MachineCost(0, 0, 0);

  /** Both together. */
  public MachineCost plus(MachineCost o) {
    return new MachineCost(usd + o.usd, hours + o.hours, unpricedHours + o.unpricedHours);
  }

  /** Whether it has hours, and no price is known of any. */
  public boolean isUnpriced() {
    return hours > 0 && unpricedHours >= hours;
  }
}
