package dev.mayfly.cli.logs;

import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A store that remembers which objects were read. */
record ReadRecorder(ObjectStore objectStore, List<String> reads) implements ObjectStore {
  ReadRecorder(ObjectStore objectStore) {
    this(objectStore, new CopyOnWriteArrayList<>());
  }

  @Override
  public Optional<ObjectInfo> find(ObjectUrl objectUrl) {
    return objectStore.find(objectUrl);
  }

  @Override
  public Optional<byte[]> read(ObjectUrl objectUrl, int cap) {
    reads.add(objectUrl.name());
    return objectStore.read(objectUrl, cap);
  }

  @Override
  public Optional<InputStream> open(ObjectUrl objectUrl) {
    reads.add(objectUrl.name());
    return objectStore.open(objectUrl);
  }

  @Override
  public Creation create(ObjectUrl objectUrl, Content content, Map<String, String> metadata) {
    return objectStore.create(objectUrl, content, metadata);
  }

  @Override
  public Replacement replace(
      ObjectUrl objectUrl, Content content, Map<String, String> metadata, long generation) {
    return objectStore.replace(objectUrl, content, metadata, generation);
  }

  @Override
  public boolean delete(ObjectUrl objectUrl, long generation) {
    return objectStore.delete(objectUrl, generation);
  }

  @Override
  public ObjectPage list(ObjectUrl prefix, String after, int limit) {
    return objectStore.list(prefix, after, limit);
  }
}
