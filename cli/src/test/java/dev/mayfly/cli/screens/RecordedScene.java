package dev.mayfly.cli.screens;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * A situation that the simulation has recorded: facts about it, and what its control plane answers.
 */
record RecordedScene(String name, Map<String, String> facts, Map<String, String> answers) {
  private static final Path FOLDER =
      Path.of("../testing/sim/src/test/resources/dev/mayfly/sim/tour");

  static List<RecordedScene> all() throws IOException {
    try (var files = Files.list(FOLDER)) {
      return files.sorted().map(RecordedScene::read).toList();
    }
  }

  private static RecordedScene read(Path file) {
    var facts = new HashMap<String, String>();
    var answers = new HashMap<String, String>();
    try (Stream<String> lines = Files.lines(file, UTF_8)) {
      var rest = lines.iterator();
      while (rest.hasNext()) {
        var line = rest.next();
        var colon = line.indexOf(": ");
        if (line.startsWith("/")) answers.put(line, rest.next());
        else facts.put(line.substring(0, colon), line.substring(colon + 2));
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return new RecordedScene(file.getFileName().toString(), facts, answers);
  }

  String fact(String about) {
    return facts.getOrDefault(about, "");
  }

  /** To a read of the cluster's part. */
  String answer(String path) {
    return answers.getOrDefault("/v1/clusters/lab" + path, "");
  }

  Instant now() {
    return Instant.parse(fact("now"));
  }

  /** Answers over HTTP on loopback, announced to commands under this home. */
  HttpServer serve(Path home) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
    var url = "http://127.0.0.1:" + server.getAddress().getPort();
    var text =
        """
        {"project":"p","api":"%s/api","pubsub":"%s","storage":"%s","cloud":"%s","workers":"%s/w",
        "cloudPid":1,"controlPid":2,"supervisorPid":3,"later":true}\
        """
            .formatted(url, url, url, url, url);
    Files.writeString(home.resolve("local.json"), text);
    return server;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var path = exchange.getRequestURI().getPath().replaceFirst("^/api", "");
      // Machines of scenes measure nothing.
      var none = path.endsWith("/tasks") ? "{\"tasks\":[]}" : null;
      var known = answers.getOrDefault(path.replace("/jobs/" + fact("uid"), "/jobs/train"), none);
      var bytes =
          (known == null ? "{\"status\":404,\"error\":\"nothing at " + path + "\"}" : known)
              .getBytes(UTF_8);
      exchange.sendResponseHeaders(known == null ? 404 : 200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }
}
