package dev.mayfly.sim.fake;

import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.porttests.DocumentFixtures;
import dev.mayfly.porttests.ObjectStoreContract;
import dev.mayfly.sim.engine.SimTime;
import java.util.List;

class SimObjectStoreTest extends ObjectStoreContract {
  private final SimObjectStore objects = new SimObjectStore(new SimTime(DocumentFixtures.T0));

  @Override
  protected ObjectStore objects() {
    return objects;
  }

  @Override
  protected ObjectUrl folder() {
    return ObjectUrl.of("gs://lab-bucket/folder/");
  }

  @Override
  protected List<String> putUnusable(List<String> names) {
    for (var name : names) objects.putUnusable("gs://lab-bucket", "folder/" + name);
    return names;
  }
}
