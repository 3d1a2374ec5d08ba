package dev.mayfly.sim.fake;

import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.sim.fault.PortHook;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;

/** The object store as one process sees it. */
public final class HookedObjectStore implements ObjectStore {
  private final ObjectStore objectStore;
  private final PortHook portHook;

  public HookedObjectStore(ObjectStore objectStore, PortHook portHook) {
    this.objectStore = objectStore;
    this.portHook = portHook;
  }

  @Override
  public Optional<ObjectInfo> find(ObjectUrl objectUrl) {
    return portHook.around("objects.find", () -> objectStore.find(objectUrl));
  }

  @Override
  public Optional<byte[]> read(ObjectUrl objectUrl, int cap) {
    return portHook.around("objects.read", () -> objectStore.read(objectUrl, cap));
  }

  @Override
  public Optional<InputStream> open(ObjectUrl objectUrl) {
    return portHook.around("objects.open", () -> objectStore.open(objectUrl));
  }

  @Override
  public Creation create(ObjectUrl objectUrl, Content content, Map<String, String> metadata) {
    return portHook.around(
        "objects.create", () -> objectStore.create(objectUrl, content, metadata));
  }

  @Override
  public Replacement replace(
      ObjectUrl objectUrl, Content content, Map<String, String> metadata, long generation) {
    return portHook.around(
        "objects.replace", () -> objectStore.replace(objectUrl, content, metadata, generation));
  }

  @Override
  public boolean delete(ObjectUrl objectUrl, long generation) {
    return portHook.around("objects.delete", () -> objectStore.delete(objectUrl, generation));
  }

  @Override
  public ObjectPage list(ObjectUrl prefix, String after, int limit) {
    return portHook.around("objects.list", () -> objectStore.list(prefix, after, limit));
  }

  @Override
  public Optional<StorageLocation> location(ObjectUrl place) {
    return portHook.around("objects.location", () -> objectStore.location(place));
  }
}
