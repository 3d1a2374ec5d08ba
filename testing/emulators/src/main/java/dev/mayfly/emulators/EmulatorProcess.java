package dev.mayfly.emulators;

import dev.mayfly.local.os.ChildProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One of Google's emulators as a child process. Its data is lost when it ends. */
final class EmulatorProcess implements AutoCloseable {
  private static final Duration READY = Duration.ofSeconds(120);

  private final Kind kind;
  private final int port;
  private final Process process;

  private EmulatorProcess(Kind kind, int port, Process process) {
    this.kind = kind;
    this.port = port;
    this.process = process;
  }

  /** The emulated service. */
  public enum Kind {
    FIRESTORE(
        "cloud-firestore-emulator",
        "cloud-firestore-emulator.*\\.jar",
        "com.google.cloud.datastore.emulator.firestore.CloudFirestore"),
    PUBSUB(
        "pubsub-emulator/lib",
        "cloud-pubsub-emulator.*\\.jar",
        "com.google.cloud.pubsub.testing.v1.Main");

    final String folder;
    final String jar;
    final String main;

    Kind(String folder, String jar, String main) {
      this.main = main;
      this.folder = folder;
      this.jar = jar;
    }
  }

  /** The command that runs the emulator on loopback. */
  public static List<String> command(GoogleSdk sdk, Kind kind, int port) throws IOException {
    var jar =
        sdk.jar(kind)
            .orElseThrow(() ->
                new IOException(
                    "no " + kind + " emulator in " + sdk.root() + "; " + GoogleSdk.REMEDY));
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "-Xmx768m",
        "-Duser.language=en",
        "-cp",
        // Its own libraries first; Mayfly's only for the class that ends it with its parent.
        jar + ":" + System.getProperty("java.class.path"),
        ChildProcess.class.getName(),
        kind.main,
        "--host=127.0.0.1",
        "--port=" + port);
  }

  /**
   * Returns when the emulator answers.
   *
   * @param log receives the emulator's output
   */
  public static EmulatorProcess start(GoogleSdk sdk, Kind kind, int port, Path log)
      throws IOException {
    var process =
        new ProcessBuilder(command(sdk, kind, port))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    var emulatorProcess = new EmulatorProcess(kind, port, process);
    try {
      emulatorProcess.awaitReady(log);
      return emulatorProcess;
    } catch (IOException e) {
      emulatorProcess.close();
      throw e;
    }
  }

  /** The address for clients. */
  public String host() {
    return "127.0.0.1:" + port;
  }

  public Process process() {
    return process;
  }

  private void awaitReady(Path log) throws IOException {
    for (var tries = 0; tries < READY.toMillis() / 50 && process.isAlive(); tries++) {
      if (answers(port)) return;
      try {
        process.waitFor(50, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while the " + kind + " emulator started", e);
      }
    }
    throw new IOException("the " + kind + " emulator did not come up; its log: " + log);
  }

  private static boolean answers(int port) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) process.destroyForcibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
