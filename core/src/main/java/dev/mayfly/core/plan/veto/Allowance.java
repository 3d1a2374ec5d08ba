package dev.mayfly.core.plan.veto;

import java.util.ArrayList;
import java.util.List;

/**
 * How many machines may be launched.
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
    return machines <= limit ? this : new Allowance(limit, plus(List.of(why)));
  }

  /** What a further limit leaves of it. */
  public Allowance then(Allowance further) {
    return new Allowance(further.machines, plus(further.vetoes));
  }

  private List<Veto> plus(List<Veto> more) {
    var all = new ArrayList<>(vetoes);
    all.addAll(more);
    return all;
  }
}
