package dev.mayfly.gcs;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;

/**
 * Routes each call to the store of its URL's scheme.
 *
 * @param files the machine's own; empty in a function, whose disk has no user data
 */
record RoutedObjectStore(ObjectStore cloud, Optional<ObjectStore> files) implements ObjectStore {
  private ObjectStore of(ObjectUrl objectUrl) {
    return isFile(objectUrl) ? files.orElseThrow(() -> refusal(objectUrl)) : cloud;
  }

  private static boolean isFile(ObjectUrl objectUrl) {
    return objectUrl.root().equals("file://");
  }

  private static InvalidInputException refusal(ObjectUrl objectUrl) {
    return new InvalidInputException(
        objectUrl.toString(),
        "is a file on one machine, which the project's functions cannot read; write gs://BUCKET/NAME");
  }

  private boolean isMissing(ObjectUrl place) {
    return isFile(place) && files.isEmpty();
  }

  @Override
  public boolean reaches(ObjectUrl place) {
    return !isMissing(place) && of(place).reaches(place);
  }

  @Override
  public Optional<ObjectInfo> find(ObjectUrl objectUrl) {
    return of(objectUrl).find(objectUrl);
  }

  @Override
  public Optional<byte[]> read(ObjectUrl objectUrl, int cap) {
    return of(objectUrl).read(objectUrl, cap);
  }

  @Override
  public Optional<InputStream> open(ObjectUrl objectUrl) {
    return of(objectUrl).open(objectUrl);
  }

  @Override
  public Creation create(ObjectUrl objectUrl, Content content, Map<String, String> metadata) {
    return of(objectUrl).create(objectUrl, content, metadata);
  }

  @Override
  public Replacement replace(
      ObjectUrl objectUrl, Content content, Map<String, String> metadata, long generation) {
    return of(objectUrl).replace(objectUrl, content, metadata, generation);
  }

  @Override
  public boolean delete(ObjectUrl objectUrl, long generation) {
    return of(objectUrl).delete(objectUrl, generation);
  }

  @Override
  public ObjectPage list(ObjectUrl prefix, String after, int limit) {
    return of(prefix).list(prefix, after, limit);
  }

  @Override
  public Optional<StorageLocation> location(ObjectUrl place) {
    return isMissing(place) ? Optional.empty() : of(place).location(place);
  }
}
