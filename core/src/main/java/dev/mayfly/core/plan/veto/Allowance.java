package dev.mayfly.core.plan.veto;

import java.util.List;

/**
 * How many machines may be launched: as many as the strictest limit allows, which alone is the
 * reason. What a wider limit would forbid besides, does not hold yet.
 *
 * @param vetoes why not more; empty if all that were wanted may
 */
public record Allowance(int machines, List<Veto> vetoes) {
  public Allowance {
    vetoes = List.copyOf(vetoes);
  }

  public static Allowance all(int machines) {
    return new Allowance(machines, List.of());
  }

  /** So many at most, for this reason. */
  public Allowance atMost(int limit, Veto why) {
    return machines <= limit ? this : new Allowance(limit, List.of(why));
  }

  /** What a further limit leaves of it. */
  public Allowance then(Allowance further) {
    return further.machines < machines ? further : this;
  }
}
