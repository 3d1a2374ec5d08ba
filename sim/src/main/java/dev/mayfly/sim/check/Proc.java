package dev.mayfly.sim.check;

import dev.mayfly.core.agent.Attempt;
import dev.mayfly.core.model.Resources;

/** A task's process on a machine, as it truly is. */
public record Proc(String worker, Attempt attempt, Resources need, boolean exclusive) {
  public String task() {
    return attempt.lease().job() + "/" + attempt.index();
  }

  @Override
  public String toString() {
    return attempt + " on " + worker;
  }
}
