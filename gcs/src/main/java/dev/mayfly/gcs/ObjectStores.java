package dev.mayfly.gcs;

import dev.mayfly.core.port.Objects;
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
  public static Objects of(StoreSettings settings) {
    var files = new FileObjects(InstantSource.system());
    return new RoutedObjects(new GcsObjects(settings), Optional.of(files));
  }

  /** The same, with the settings of an environment. */
  public static Objects of(Map<String, String> env) {
    return of(StoreSettings.from(env));
  }

  /**
   * Cloud Storage alone, for a process whose disk is not its users': {@code file:///…} is refused
   * with the remedy.
   */
  public static Objects withoutFiles(StoreSettings settings) {
    return new RoutedObjects(new GcsObjects(settings), Optional.empty());
  }
}
