package dev.mayfly.local;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * {@code $MAYFLY_HOME/local.json}: the URLs of the laptop cloud, for the CLI and for people,
 * without trailing slashes.
 *
 * @param api the read API: {@code <api>/v1/clusters}
 * @param pubsub publishes at {@code <pubsub>/v1/projects/<project>/topics/TOPIC:publish}
 * @param cloud the fault controls: {@code <cloud>/_sim/…}
 * @param workers receives agents' syncs
 * @param control the control plane itself: {@code <control>/ledger/operations} counts its ledger's
 *     operations
 * @param firestore {@code HOST:PORT} of the Firestore emulator, if it holds the state
 * @param firestoreDatabase the id of its database
 */
record LocalEndpoints(
    String project,
    String api,
    String pubsub,
    String storage,
    String cloud,
    String workers,
    String control,
    Optional<String> firestore,
    Optional<String> firestoreDatabase,
    long cloudPid,
    long controlPid,
    long supervisorPid) {
  static final String PROJECT = "mayfly-local";

  /** The functions' default. */
  private static final String DATABASE = "(default)";

  static LocalEndpoints of(int port, boolean emulators, long cloudPid, long controlPid) {
    var cloud = "http://127.0.0.1:" + port;
    var control = "http://127.0.0.1:" + (port + 1);
    var state = Optional.of(port + 3).filter(at -> emulators);
    return new LocalEndpoints(
        PROJECT,
        control + "/api",
        emulators ? "http://127.0.0.1:" + (port + 2) : cloud,
        cloud,
        cloud,
        control + "/workers",
        control,
        state.map(at -> "127.0.0.1:" + at),
        state.map(at -> DATABASE),
        cloudPid,
        controlPid,
        ProcessHandle.current().pid());
  }

  static Path file(Path home) {
    return home.resolve("local.json");
  }

  /** What the processes of an earlier start wrote; empty also where it is damaged. */
  static Optional<LocalEndpoints> before(Path home) throws IOException {
    var file = file(home);
    if (!Files.exists(file)) return Optional.empty();
    try {
      return Optional.of(Wire.shared().read(LocalEndpoints.class, Files.readAllBytes(file)));
    } catch (InvalidInputException damaged) {
      // It is written anew, with what is known: the process ids of this start.
      return Optional.empty();
    }
  }

  void write(Path home) throws IOException {
    var next = home.resolve("local.json.next");
    Files.write(next, Wire.shared().json(this));
    Files.move(
        next, file(home), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
