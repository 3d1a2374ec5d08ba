package dev.mayfly.gcs;

import dev.mayfly.core.port.ObjectStore;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * Creates the object store of a process. Loads and connects nothing before the first call that
 * needs it.
 */
public final class ObjectStores {
  private ObjectStores() {}

  /** Cloud Storage for {@code gs://…}, the machine's files for {@code file:///…}. */
  public static ObjectStore of(StoreSettings settings) {
    var files = new FileObjectStore(InstantSource.system());
    return new RoutedObjectStore(new GcsObjectStore(settings), Optional.of(files));
  }

  /** As above, with settings from an environment. */
  public static ObjectStore of(Map<String, String> env) {
    return of(StoreSettings.from(env));
  }

  /**
   * Cloud Storage only, for a process whose disk is not the users': rejects {@code file:///…} with
   * the remedy.
   */
  public static ObjectStore withoutFiles(StoreSettings settings) {
    return new RoutedObjectStore(new GcsObjectStore(settings), Optional.empty());
  }
}
