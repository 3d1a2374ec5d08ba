package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.document.Shard;
import java.util.List;

/** Which attempts were the last ones of their tasks, so that their machines may be kept. */
public final class FinalFailures {
  private FinalFailures() {}

  /**
   * Those of a lease's failures by which their tasks failed for good, if what they left on the
   * machine may show why.
   *
   * @param before the shard with the lease
   * @param after the same without it
   */
  public static List<AttemptFailure> of(Shard before, Shard after, List<AttemptFailure> failures) {
    return failures.stream()
        .filter(f -> f.cause().showsOnMachine())
        .filter(f -> before.has(f.index()) && after.failed().has(f.index()))
        .filter(f -> !before.failed().has(f.index()))
        .toList();
  }
}
