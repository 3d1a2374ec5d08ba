package dev.mayfly.sim.fake;

import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import dev.mayfly.porttests.ObjectsContract;
import dev.mayfly.porttests.Samples;

class SimObjectsTest extends ObjectsContract {
  private final SimObjects objects = new SimObjects(new SimTime(Samples.T0));

  @Override
  protected Objects objects() {
    return objects;
  }

  @Override
  protected Url folder() {
    return Url.of("gs://lab-bucket/folder/");
  }
}
