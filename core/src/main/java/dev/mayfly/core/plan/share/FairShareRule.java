package dev.mayfly.core.plan.share;

import dev.mayfly.core.model.cluster.FairShareSpec;

/**
 * Who of several owners of one priority is served first: the one with the lowest level, which is
 * what they run for each of their shares. So owners of whom everybody wants more than there is run
 * in proportion to their weights, and one who runs nothing comes before all who run something.
 */
public final class FairShareRule {
  private final FairShareSpec spec;

  public FairShareRule(FairShareSpec spec) {
    this.spec = spec;
  }

  /** How many shares the owner has. */
  public double weight(String owner) {
    return spec.weight(owner);
  }

  /**
   * Where the owner stands if that much of theirs runs: who is lower is served first.
   *
   * @param running tasks
   */
  public double level(String owner, long running) {
    return running / weight(owner);
  }

  /**
   * Whether the room of one task goes to another owner when it ends. So what waits on machines goes
   * back exactly for those who would get the room anyway, and never to and fro.
   *
   * @param running of the one whose task ends, this task among it
   * @param toRunning of the other
   */
  public boolean givesWay(String owner, long running, String to, long toRunning) {
    return level(owner, running - 1) > level(to, toRunning);
  }
}
