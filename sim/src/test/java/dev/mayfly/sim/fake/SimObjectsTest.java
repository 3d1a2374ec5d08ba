package dev.mayfly.sim.fake;

import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import dev.mayfly.porttests.ObjectsContract;
import dev.mayfly.porttests.Samples;
import java.util.List;

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

  @Override
  protected List<String> putUnusable(List<String> names) {
    for (var name : names) objects.putUnusable("gs://lab-bucket", "folder/" + name);
    return names;
  }
}
