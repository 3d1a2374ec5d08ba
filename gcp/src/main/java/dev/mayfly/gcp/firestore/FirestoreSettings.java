package dev.mayfly.gcp.firestore;

import java.util.Optional;

/**
 * Selects a database.
 *
 * @param project the Google Cloud project
 * @param database the database's id, {@code (default)} for a project's default database
 * @param emulatorHost {@code host:port} of an emulator, reached in plain text and without
 *     credentials; empty for Google's own, with the credentials of the environment
 */
public record FirestoreSettings(String project, String database, Optional<String> emulatorHost) {
  public FirestoreSettings {
    if (project.isEmpty() || database.isEmpty())
      throw new IllegalArgumentException("a Firestore database needs a project and an id");
    emulatorHost.ifPresent(FirestoreSettings::checkHost);
  }

  /** The project's database {@code (default)}. */
  public static FirestoreSettings of(String project) {
    return new FirestoreSettings(project, "(default)", Optional.empty());
  }

  /** A copy that uses an emulator. */
  public FirestoreSettings withEmulator(String hostAndPort) {
    return new FirestoreSettings(project, database, Optional.of(hostAndPort));
  }

  private static void checkHost(String host) {
    if (!host.matches("[^/:]+:[0-9]+"))
      throw new IllegalArgumentException(
          "Firestore emulator '" + host + "' must be host:port, such as 127.0.0.1:8080");
  }
}
