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
 * Where a control plane and its cloud are, as {@code mayfly local} wrote it when it was ready. URLs
 * have no slash at their end.
 *
 * @param api where {@code /v1/clusters} is served
 * @param pubsub where messages are published
 * @param storage the Cloud Storage endpoint; empty for Google's own
 * @param cloud where the dials are; empty for a project, which has none
 * @param workers where agents sync, without {@code /v1/sync}
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

  /** What to say where nothing runs. */
  public static final String REMEDY = "start one with: mayfly local";

  public static Path file(Path home) {
    return home.resolve(FILE);
  }

  /** What its owner shows to a laptop cloud; empty where there is none. */
  public static Optional<String> token(Path home) {
    try {
      return Optional.of(Files.readString(home.resolve("cloud/token")).strip());
    } catch (IOException none) {
      return Optional.empty();
    }
  }

  /** Whether a URL is one of this laptop cloud's. */
  public boolean serves(String url) {
    return Stream.of(api, pubsub, storage, cloud, workers)
        .anyMatch(part -> !part.isEmpty() && (url + "/").startsWith(part + "/"));
  }

  /** The one that runs under this home, or did. */
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

  /** As {@link #find}; throws {@link UnavailableException} if there is none. */
  public static DeploymentEndpoints of(Path home) {
    return find(home)
        .orElseThrow(() ->
            new UnavailableException(
                "no laptop cloud runs (there is no " + file(home) + "); " + REMEDY));
  }
}
