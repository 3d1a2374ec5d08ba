package dev.mayfly.porttests;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An official Google emulator, one per JVM, started on first use and ended with the JVM.
 *
 * <p>It is found through {@code $CLOUDSDK_ROOT_DIR}, the {@code gcloud} on the path, or gcloud's
 * usual folders. If it is not installed, {@link #required} skips the test with the reason; with
 * {@code CI=true} it fails the test instead.
 */
public enum GoogleEmulator {
  FIRESTORE(
      "cloud-firestore-emulator",
      "cloud-firestore-emulator",
      "com.google.cloud.datastore.emulator.firestore.CloudFirestore"),
  PUBSUB("pubsub-emulator/lib", "cloud-pubsub-emulator", "com.google.cloud.pubsub.testing.v1.Main");

  private static final Duration START = Duration.ofSeconds(60);

  private final String folder;
  private final String jar;
  private final String main;
  private @Nullable Running running;

  GoogleEmulator(String folder, String jar, String main) {
    this.folder = folder;
    this.jar = jar;
    this.main = main;
  }

  private record Running(Process process, int port, Path log) {}

  /**
   * Starts it if needed; if it is not installed, skips the test, or fails it with {@code CI=true}.
   */
  public String required() {
    var found = find();
    if (found.isEmpty() && "true".equals(System.getenv("CI"))) throw new AssertionError(missing());
    assumeTrue(found.isPresent(), this::missing);
    return start(found.get());
  }

  /** The same for a program: throws {@link IllegalStateException} if it is not installed. */
  public String running() {
    return start(find().orElseThrow(() -> new IllegalStateException(missing())));
  }

  private String missing() {
    return "%s is not here: install it with `gcloud components install %s`"
        .formatted(folder, folder.replace("/lib", ""));
  }

  /** A new project, because an emulator isolates data by project. */
  public static String freshProject() {
    return "test-" + UUID.randomUUID().toString().substring(0, 18);
  }

  /** The emulator's jar, if gcloud has it on this machine. */
  public Optional<Path> find() {
    return roots()
        .map(root -> root.resolve("platform").resolve(folder))
        .filter(Files::isDirectory)
        .flatMap(this::jars)
        .findFirst();
  }

  private Stream<Path> jars(Path in) {
    try (var files = Files.list(in)) {
      return files
          .filter(f -> f.getFileName().toString().matches(jar + ".*\\.jar"))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> roots() {
    var root = Optional.ofNullable(System.getenv("CLOUDSDK_ROOT_DIR")).map(Path::of).stream();
    var home = Path.of(System.getProperty("user.home"));
    var usual =
        Stream.of(
            home.resolve("google-cloud-sdk"),
            Path.of("/usr/lib/google-cloud-sdk"),
            Path.of("/opt/google-cloud-sdk"),
            Path.of("/usr/local/google-cloud-sdk"),
            Path.of("/snap/google-cloud-sdk/current"));
    return Stream.of(root, onPath(), usual).flatMap(s -> s);
  }

  private static Stream<Path> onPath() {
    var path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.of(path.split(File.pathSeparator))
        .map(folder -> Path.of(folder).resolve("gcloud"))
        .filter(Files::isExecutable)
        .flatMap(GoogleEmulator::sdk);
  }

  /** The gcloud on the path is {@code bin/gcloud} of the SDK, or a link to it. */
  private static Stream<Path> sdk(Path gcloud) {
    try {
      return Stream.of(gcloud.toRealPath().resolveSibling("..").normalize());
    } catch (IOException e) {
      return Stream.of();
    }
  }

  private synchronized String start(Path found) {
    var now = running;
    if (now == null || !now.process().isAlive()) running = now = launch(found);
    return "127.0.0.1:" + now.port();
  }

  private Running launch(Path found) {
    try {
      var port = freePort();
      var log =
          Files.createTempFile(name().toLowerCase(java.util.Locale.ROOT) + "-emulator", ".log");
      log.toFile().deleteOnExit();
      var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      var line = new ArrayList<>(List.of(java, "-Xmx512m", "-Duser.language=en", "-cp"));
      line.addAll(List.of(found.toString(), main, "--host=127.0.0.1", "--port=" + port));
      var process =
          new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(log.toFile()).start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      awaitPort(process, port, log);
      return new Running(process, port, log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A port outside of Linux's ephemeral range, from which another process could take it before use.
   */
  private static int freePort() throws IOException {
    for (var tries = 0; tries < 200; tries++) {
      var port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
      try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException taken) {
        // Taken: try another one.
      }
    }
    throw new IOException("no free port between 20000 and 31999");
  }

  /** The emulator is ready once it answers at its port; it gives no other sign. */
  private static void awaitPort(Process process, int port, Path log) throws IOException {
    var until = System.nanoTime() + START.toNanos();
    while (System.nanoTime() < until) {
      try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return;
      } catch (IOException notYet) {
        if (ended(process)) break;
      }
    }
    process.destroyForcibly();
    throw new IOException("the emulator did not start; it said: " + Files.readString(log));
  }

  private static boolean ended(Process process) {
    try {
      return process.waitFor(50, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
