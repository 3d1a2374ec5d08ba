package dev.mayfly.gcp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A folder that the real startup script treats as a machine, with the servers that it calls. */
final class BootSandbox implements AutoCloseable {
  final Map<String, String> attributes = new ConcurrentHashMap<>();
  final Map<String, byte[]> files = new ConcurrentHashMap<>();
  final List<String> calls = new CopyOnWriteArrayList<>();
  final Path root;
  private final HttpServer server;

  BootSandbox(Path root) throws IOException {
    this.root = root;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    Files.createDirectories(root.resolve("fake"));
    program("systemctl", "echo \"$@\" >>\"$MAYFLY_ROOT/systemctl.log\"");
    program("getent", "grep \"^$2\" \"$MAYFLY_ROOT/users\"");
    program("groupadd", "echo \"$4:$3\" >>\"$MAYFLY_ROOT/users\"");
    program("id", "sed -n \"s/^$2://p\" \"$MAYFLY_ROOT/users\" 2>&1 | grep .");
    program("useradd", "for name; do :; done; echo \"$name:$3\" >>\"$MAYFLY_ROOT/users\"");
    program("nft", "cat >\"$MAYFLY_ROOT/rules\"");
  }

  /** Puts a program in front of the machine's own of that name. */
  void program(String name, String shell) throws IOException {
    var file = root.resolve("fake").resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + shell + "\n");
    file.toFile().setExecutable(true);
  }

  /** The users that were created, one {@code name:number} per line. */
  List<String> users() throws IOException {
    var made = root.resolve("users");
    return Files.exists(made) ? Files.readAllLines(made) : List.of();
  }

  /** Runs a program that the script installed; returns its exit code. */
  int run(String installed, Map<String, String> more) throws IOException, InterruptedException {
    var builder = new ProcessBuilder(root.resolve(installed).toString()).redirectErrorStream(true);
    builder.redirectOutput(root.resolve("console").toFile());
    builder.environment().clear();
    builder.environment().putAll(environment());
    builder.environment().putAll(more);
    return builder.start().waitFor();
  }

  private Map<String, String> environment() {
    return Map.of(
        "PATH", root.resolve("fake") + ":/usr/bin:/bin",
        "MAYFLY_ROOT", root.toString(),
        "MAYFLY_STORAGE_ENDPOINT", url(""),
        "GCE_METADATA_HOST", url("").substring("http://".length()));
  }

  String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  /** Boots the machine; returns the script's exit code. */
  int boot() throws IOException, InterruptedException {
    var script = root.resolve("startup-script");
    Files.writeString(script, StartupScript.text());
    var builder = new ProcessBuilder("bash", script.toString()).redirectErrorStream(true);
    builder.redirectOutput(root.resolve("console").toFile());
    builder.environment().clear();
    builder.environment().putAll(environment());
    var process = builder.start();
    if (!process.waitFor(180, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("the script does not end: " + console());
    }
    return process.exitValue();
  }

  String console() throws IOException {
    return Files.readString(root.resolve("console"));
  }

  /** The calls of systemctl, one per line. */
  List<String> systemctl() throws IOException {
    var log = root.resolve("systemctl.log");
    return Files.exists(log) ? Files.readAllLines(log) : List.of();
  }

  /** Each step's name and error. */
  List<String> steps() throws IOException {
    return Files.readAllLines(root.resolve("run/mayfly/boot-steps")).stream()
        .map(line -> line.split("\t", -1))
        .map(fields -> fields[0] + ":" + fields[2])
        .toList();
  }

  private void answer(HttpExchange exchange) throws IOException {
    var uri = exchange.getRequestURI().toString();
    var bearer = exchange.getRequestHeaders().getFirst("Authorization");
    calls.add(uri + (bearer == null ? "" : " " + bearer));
    var key = uri.replace("/computeMetadata/v1/instance/attributes/", "");
    byte[] body = files.get(uri);
    if (attributes.containsKey(key)) {
      body = attributes.get(key).getBytes(StandardCharsets.UTF_8);
    } else if (uri.endsWith("/service-accounts/default/token")) {
      body =
          "{\"access_token\":\"ya29.t-o_k\",\"expires_in\":3600}".getBytes(StandardCharsets.UTF_8);
    }
    exchange.sendResponseHeaders(body == null ? 404 : 200, body == null ? -1 : body.length);
    try (var out = exchange.getResponseBody()) {
      if (body != null) out.write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
