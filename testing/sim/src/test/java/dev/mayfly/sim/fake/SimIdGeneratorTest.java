package dev.mayfly.sim.fake;

import dev.mayfly.core.port.IdGenerator;
import dev.mayfly.porttests.IdGeneratorContract;
import dev.mayfly.sim.engine.SimRandom;

class SimIdGeneratorTest extends IdGeneratorContract {
  private final SimIdGenerator ids = new SimIdGenerator(new SimRandom(7));

  @Override
  protected IdGenerator ids() {
    return ids;
  }
}
