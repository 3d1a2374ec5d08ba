package dev.mayfly.functions.os;

import dev.mayfly.core.port.IdGenerator;
import dev.mayfly.porttests.IdGeneratorContract;

class RandomIdGeneratorTest extends IdGeneratorContract {
  private final RandomIdGenerator ids = new RandomIdGenerator();

  @Override
  protected IdGenerator ids() {
    return ids;
  }
}
