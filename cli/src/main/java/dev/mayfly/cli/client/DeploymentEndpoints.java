package dev.mayfly.cli.client;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * URLs of a control plane and its cloud, as {@code mayfly local} wrote them when it was ready. URLs
 * have no trailing slash.
 *
 * @param api serves {@code /v1/clusters}
 * @param pubsub receives published messages
 * @param storage the Cloud Storage endpoint; empty for Google's own
 * @param cloud serves the fault controls; empty for a Google Cloud project
 * @param workers receives agents' syncs, without {@code /v1/sync}
 */
public record DeploymentEndpoints(
    String project,
    String api,
    String pubsub,
    String storage,
    String cloud,
    String workers,
    long cloudPid,
    long controlPid,
    long supervisorPid) {
  private static final String FILE = "local.json";

  /** Linux has a folder here for each process. */
  private static final Path PROCESSES = Path.of("/proc");

  /** The remedy if no laptop cloud runs. */
  public static final String REMEDY = "start one with: mayfly local";

  public static Path file(Path home) {
    return home.resolve(FILE);
  }

  /** The owner token of the laptop cloud; empty if there is none. */
  public static Optional<String> token(Path home) {
    try {
      return Optional.of(Files.readString(home.resolve("cloud/token")).strip());
    } catch (IOException none) {
      return Optional.empty();
    }
  }

  /**
   * The token that people show to the laptop cloud's buckets, with the rights of those who submit
   * jobs; that of the owner where a cloud of an earlier version made none.
   */
  public static Optional<String> personToken(Path home) {
    try {
      return Optional.of(Files.readString(home.resolve("cloud/person")).strip());
    } catch (IOException none) {
      return token(home);
    }
  }

  /** Whether the home is one of a person whom the owner of the laptop cloud invited. */
  public static boolean isInvited(Path home) {
    return Files.exists(home.resolve("cloud/person")) && personToken(home).equals(token(home));
  }

  /**
   * The laptop cloud's control plane itself: its functions below {@code /api} and {@code /workers},
   * the count of its ledger's operations, and, on Google's emulators, the fault controls of its
   * functions.
   */
  public String control() {
    return api.replaceFirst("/api$", "");
  }

  /**
   * Whether this laptop cloud itself serves the URL, and not Google's emulator of Pub/Sub, which
   * accepts every caller and so gets no token.
   */
  public boolean serves(String url) {
    return Stream.of(control(), storage, cloud, workers)
        .anyMatch(part -> !part.isEmpty() && (url + "/").startsWith(part + "/"));
  }

  /** Whether a process that wrote these URLs may still run. */
  private boolean mayRun() {
    return !Files.isDirectory(PROCESSES)
        || Stream.of(cloudPid, controlPid, supervisorPid)
            .anyMatch(pid -> pid == 0 || Files.exists(PROCESSES.resolve(Long.toString(pid))));
  }

  /** The endpoints of the laptop cloud that runs, or last ran, under this home. */
  public static Optional<DeploymentEndpoints> find(Path home) {
    var file = file(home);
    try {
      return Optional.of(Wire.shared().read(DeploymentEndpoints.class, Files.readAllBytes(file)));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (IOException | InvalidInputException e) {
      throw new UnavailableException(
          file + " cannot be read (" + e.getMessage() + "); restart the laptop cloud: mayfly local",
          e);
    }
  }

  /** As {@link #find}; throws {@link UnavailableException} instead of empty. */
  public static DeploymentEndpoints of(Path home) {
    var found =
        find(home)
            .orElseThrow(() ->
                new UnavailableException(
                    "no laptop cloud runs (" + file(home) + " is missing); " + REMEDY));
    if (found.mayRun()) return found;
    throw new UnavailableException(
        "the laptop cloud of " + home + " is not running: its processes are gone; " + REMEDY);
  }
}
