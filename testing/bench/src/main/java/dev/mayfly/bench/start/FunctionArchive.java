package dev.mayfly.bench.start;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The unpacked functions' archive. A function is started by the command that Google's buildpack
 * generates for an archive with one jar.
 */
public final class FunctionArchive {
  private final Path folder;
  private final String options;

  private FunctionArchive(Path folder, String options) {
    this.folder = folder;
    this.options = options;
  }

  /**
   * @param folder the unpacked archive
   * @param options {@code JAVA_TOOL_OPTIONS}, relative to the folder of an image
   */
  public static FunctionArchive of(Path folder, String options) {
    var here = folder.toAbsolutePath();
    return new FunctionArchive(here, options.strip().replace("/workspace", here + ""));
  }

  /** The same with more options of the JVM. */
  public FunctionArchive withOptions(String more) {
    return new FunctionArchive(folder, options + " " + more);
  }

  /**
   * Starts one instance.
   *
   * @param target the class of the function
   * @param firestore host and port of the emulator
   */
  public Process start(String target, int port, String project, String firestore)
      throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command = List.of(java, "-jar", invoker(), "--classpath", "functions.jar");
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.redirectOutput(folder.resolveSibling("function.log").toFile());
    var variables = builder.environment();
    variables.keySet().removeIf(key -> key.startsWith("MAYFLY_"));
    variables.put("JAVA_TOOL_OPTIONS", options);
    variables.put("FUNCTION_TARGET", target);
    variables.put("PORT", Integer.toString(port));
    variables.put("GOOGLE_CLOUD_PROJECT", project);
    variables.put("MAYFLY_WORKERS_URL", "http://127.0.0.1:1");
    variables.put("MAYFLY_IDENTITY", "off");
    variables.put("FIRESTORE_EMULATOR_HOST", firestore);
    return builder.start();
  }

  /**
   * The path of the Functions Framework's invoker in the archive; the platform has its own copy.
   */
  private String invoker() throws IOException {
    try (var jars = Files.list(folder.resolve("lib"))) {
      return jars.map(Path::toString)
          .filter(name -> name.contains("java-function-invoker"))
          .findFirst()
          .orElseThrow();
    }
  }

  public static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
