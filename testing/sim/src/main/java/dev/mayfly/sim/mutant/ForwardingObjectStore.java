package dev.mayfly.sim.mutant;

import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;

/** A store that does what another one does, but for what a mutant changes. */
public class ForwardingObjectStore implements ObjectStore {
  protected final ObjectStore real;

  protected ForwardingObjectStore(ObjectStore real) {
    this.real = real;
  }

  @Override
  public Optional<ObjectInfo> find(ObjectUrl objectUrl) {
    return real.find(objectUrl);
  }

  @Override
  public Optional<byte[]> read(ObjectUrl objectUrl, int cap) {
    return real.read(objectUrl, cap);
  }

  @Override
  public Optional<InputStream> open(ObjectUrl objectUrl) {
    return real.open(objectUrl);
  }

  @Override
  public Creation create(ObjectUrl objectUrl, Content content, Map<String, String> metadata) {
    return real.create(objectUrl, content, metadata);
  }

  @Override
  public Replacement replace(
      ObjectUrl objectUrl, Content content, Map<String, String> metadata, long generation) {
    return real.replace(objectUrl, content, metadata, generation);
  }

  @Override
  public boolean delete(ObjectUrl objectUrl, long generation) {
    return real.delete(objectUrl, generation);
  }

  @Override
  public ObjectPage list(ObjectUrl prefix, String after, int limit) {
    return real.list(prefix, after, limit);
  }

  @Override
  public Optional<StorageLocation> location(ObjectUrl place) {
    return real.location(place);
  }
}
