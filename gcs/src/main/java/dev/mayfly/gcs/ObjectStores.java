package dev.mayfly.gcs;

import dev.mayfly.core.port.ObjectStore;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the object store of a process. Nothing is loaded or connected before the first call that
 * needs it.
 */
public final class ObjectStores {
  private ObjectStores() {}

  /** Cloud Storage for {@code gs://…}, the machine's own files for {@code file:///…}. */
  public static ObjectStore of(StoreSettings settings) {
    var files = new FileObjectStore(InstantSource.system());
    return new RoutedObjectStore(new GcsObjectStore(settings), Optional.of(files));
  }

  /** The same, with the settings of an environment. */
  public static ObjectStore of(Map<String, String> env) {
    return of(StoreSettings.from(env));
  }

  /**
   * Cloud Storage alone, for a process whose disk is not its users': {@code file:///…} is refused
   * with the remedy.
   */
  public static ObjectStore withoutFiles(StoreSettings settings) {
    return new RoutedObjectStore(new GcsObjectStore(settings), Optional.empty());
  }
}
