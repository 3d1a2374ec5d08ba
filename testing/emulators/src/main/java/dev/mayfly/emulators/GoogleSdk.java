package dev.mayfly.emulators;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Google's command line tools, which include the emulators.
 *
 * @param root its folder, which contains {@code bin/gcloud}
 */
record GoogleSdk(Path root) {
  private static final List<String> USUAL =
      List.of(
          "/usr/lib/google-cloud-sdk",
          "/usr/share/google-cloud-sdk",
          "/opt/google-cloud-sdk",
          "/snap/google-cloud-cli/current",
          "/opt/homebrew/share/google-cloud-sdk",
          "/usr/local/share/google-cloud-sdk");

  /** The remedy if {@link #find} finds no emulators. */
  public static final String REMEDY =
      "install them with: gcloud components install cloud-firestore-emulator pubsub-emulator"
          + " (Debian: apt-get install google-cloud-cli-firestore-emulator"
          + " google-cloud-cli-pubsub-emulator)";

  /** The SDK of the gcloud on the PATH, or else one in a usual folder, with both emulators. */
  public static Optional<GoogleSdk> find(Map<String, String> env) throws IOException {
    for (var root : candidates(env)) {
      var sdk = new GoogleSdk(root);
      if (sdk.jar(EmulatorProcess.Kind.FIRESTORE).isPresent()
          && sdk.jar(EmulatorProcess.Kind.PUBSUB).isPresent()) return Optional.of(sdk);
    }
    return Optional.empty();
  }

  private static List<Path> candidates(Map<String, String> env) throws IOException {
    var roots = new ArrayList<Path>();
    for (var folder : env.getOrDefault("PATH", "").split(":")) {
      var gcloud = Path.of(folder, "gcloud");
      if (Files.isExecutable(gcloud)) roots.add(gcloud.toRealPath().resolve("../..").normalize());
    }
    USUAL.forEach(folder -> roots.add(Path.of(folder)));
    roots.add(Path.of(env.getOrDefault("HOME", "/"), "google-cloud-sdk"));
    return roots;
  }

  Optional<Path> jar(EmulatorProcess.Kind kind) throws IOException {
    var folder = root.resolve("platform").resolve(kind.folder);
    if (!Files.isDirectory(folder)) return Optional.empty();
    try (Stream<Path> jars = Files.list(folder)) {
      return jars.filter(j -> j.getFileName().toString().matches(kind.jar)).sorted().findFirst();
    }
  }
}
