package dev.mayfly.sim;

import dev.mayfly.core.model.Location;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import java.io.InputStream;
import java.util.List;
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
    return url.name().endsWith(Sentinel.SUFFIX)
        ? new Creation.Created(real.replace(url, content, metadata))
        : real.create(url, content, metadata);
  }

  @Override
  public ObjectInfo replace(Url url, Content content, Map<String, String> metadata) {
    return real.replace(url, content, metadata);
  }

  @Override
  public boolean delete(Url url, long generation) {
    return real.delete(url, generation);
  }

  @Override
  public List<ObjectInfo> list(Url prefix, String after, int limit) {
    return real.list(prefix, after, limit);
  }

  @Override
  public Optional<Location> location(Url place) {
    return real.location(place);
  }
}
