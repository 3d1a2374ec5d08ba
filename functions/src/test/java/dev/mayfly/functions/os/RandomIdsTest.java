package dev.mayfly.functions.os;

import dev.mayfly.core.port.Ids;
import dev.mayfly.porttests.IdsContract;

class RandomIdsTest extends IdsContract {
  private final RandomIds ids = new RandomIds();

  @Override
  protected Ids ids() {
    return ids;
  }
}
