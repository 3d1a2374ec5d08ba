package dev.mayfly.sim.check;

import java.util.Map;
import java.util.TreeMap;

/**
 * I11 for work that must not run twice: two processes of one exclusive task never run at the same
 * time.
 */
final class NeverTwice implements Check {
  private final Truth truth;
  private final Map<String, Proc> running = new TreeMap<>();

  NeverTwice(Truth truth) {
    this.truth = truth;
  }

  @Override
  public void began(Proc process) {
    // The hosts of a gang run one task together, which another check looks at.
    if (!process.exclusive() || process.gang()) return;
    var other = running.put(process.task(), process);
    if (other != null && !truth.survived(other) && !truth.outlasted(other))
      throw new Violation("I11", other + " and " + process + " run at the same time");
  }

  @Override
  public void ended(Proc process) {
    running.remove(process.task(), process);
  }
}
