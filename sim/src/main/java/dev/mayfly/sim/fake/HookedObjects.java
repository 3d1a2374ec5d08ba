package dev.mayfly.sim.fake;

import dev.mayfly.core.model.Location;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;

/** The object store as one process sees it. */
public final class HookedObjects implements Objects {
  private final Objects objects;
  private final Hook hook;

  public HookedObjects(Objects objects, Hook hook) {
    this.objects = objects;
    this.hook = hook;
  }

  @Override
  public Optional<ObjectInfo> find(Url url) {
    return hook.around("objects.find", () -> objects.find(url));
  }

  @Override
  public Optional<byte[]> read(Url url, int cap) {
    return hook.around("objects.read", () -> objects.read(url, cap));
  }

  @Override
  public Optional<InputStream> open(Url url) {
    return hook.around("objects.open", () -> objects.open(url));
  }

  @Override
  public Creation create(Url url, Content content, Map<String, String> metadata) {
    return hook.around("objects.create", () -> objects.create(url, content, metadata));
  }

  @Override
  public Replacement replace(
      Url url, Content content, Map<String, String> metadata, long generation) {
    return hook.around(
        "objects.replace", () -> objects.replace(url, content, metadata, generation));
  }

  @Override
  public boolean delete(Url url, long generation) {
    return hook.around("objects.delete", () -> objects.delete(url, generation));
  }

  @Override
  public ObjectPage list(Url prefix, String after, int limit) {
    return hook.around("objects.list", () -> objects.list(prefix, after, limit));
  }

  @Override
  public Optional<Location> location(Url place) {
    return hook.around("objects.location", () -> objects.location(place));
  }
}
