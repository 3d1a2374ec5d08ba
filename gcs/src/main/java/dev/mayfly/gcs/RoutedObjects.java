package dev.mayfly.gcs;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.model.Location;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;

/**
 * Sends each call to the store that its URL names.
 *
 * @param files the machine's own; empty in a function, whose disk has no data of its users
 */
record RoutedObjects(Objects cloud, Optional<Objects> files) implements Objects {
  private Objects of(Url url) {
    return isFile(url) ? files.orElseThrow(() -> refusal(url)) : cloud;
  }

  private static boolean isFile(Url url) {
    return url.root().equals("file://");
  }

  private static Invalid refusal(Url url) {
    return new Invalid(
        url.toString(),
        "is a file of one machine, which the functions of a project do not see; write gs://BUCKET/NAME");
  }

  private boolean isMissing(Url place) {
    return isFile(place) && files.isEmpty();
  }

  @Override
  public boolean reaches(Url place) {
    return !isMissing(place) && of(place).reaches(place);
  }

  @Override
  public Optional<ObjectInfo> find(Url url) {
    return of(url).find(url);
  }

  @Override
  public Optional<byte[]> read(Url url, int cap) {
    return of(url).read(url, cap);
  }

  @Override
  public Optional<InputStream> open(Url url) {
    return of(url).open(url);
  }

  @Override
  public Creation create(Url url, Content content, Map<String, String> metadata) {
    return of(url).create(url, content, metadata);
  }

  @Override
  public Replacement replace(
      Url url, Content content, Map<String, String> metadata, long generation) {
    return of(url).replace(url, content, metadata, generation);
  }

  @Override
  public boolean delete(Url url, long generation) {
    return of(url).delete(url, generation);
  }

  @Override
  public ObjectPage list(Url prefix, String after, int limit) {
    return of(prefix).list(prefix, after, limit);
  }

  @Override
  public Optional<Location> location(Url place) {
    return isMissing(place) ? Optional.empty() : of(place).location(place);
  }
}
