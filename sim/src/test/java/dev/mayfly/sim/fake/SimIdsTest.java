package dev.mayfly.sim.fake;

import dev.mayfly.core.port.Ids;
import dev.mayfly.porttests.IdsContract;

class SimIdsTest extends IdsContract {
  private final SimIds ids = new SimIds(new Dice(7));

  @Override
  protected Ids ids() {
    return ids;
  }
}
