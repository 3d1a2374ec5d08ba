package dev.mayfly.sim;

import dev.mayfly.core.model.Location;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;

/** A store in which a sentinel is written without the condition that there is none. */
final class BuggyObjects implements Objects {
  private final Objects real;

  BuggyObjects(Objects real) {
    this.real = real;
  }

  @Override
  public Optional<ObjectInfo> find(Url url) {
    return real.find(url);
  }

  @Override
  public Optional<byte[]> read(Url url, int cap) {
    return real.read(url, cap);
  }

  @Override
  public Optional<InputStream> open(Url url) {
    return real.open(url);
  }

  @Override
  public Creation create(Url url, Content content, Map<String, String> metadata) {
    var there =
        url.name().endsWith(Sentinel.SUFFIX) ? real.find(url) : Optional.<ObjectInfo>empty();
    if (there.isEmpty()) return real.create(url, content, metadata);
    return switch (real.replace(url, content, metadata, there.get().generation())) {
      case Replacement.Replaced replaced -> new Creation.Created(replaced.info());
      case Replacement.Changed changed -> new Creation.Exists(changed.there().orElseThrow());
    };
  }

  @Override
  public Replacement replace(
      Url url, Content content, Map<String, String> metadata, long generation) {
    return real.replace(url, content, metadata, generation);
  }

  @Override
  public boolean delete(Url url, long generation) {
    return real.delete(url, generation);
  }

  @Override
  public ObjectPage list(Url prefix, String after, int limit) {
    return real.list(prefix, after, limit);
  }

  @Override
  public Optional<Location> location(Url place) {
    return real.location(place);
  }
}
