package dev.mayfly.agent.container;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A private registry on this computer: as much of the distribution API as tells whether a pull is
 * let in and what a tag names. Who has the login gets a token, and who has the token the manifest.
 */
final class StandInRegistry implements AutoCloseable {
  private static final String TOKEN = "t0ken-of-the-stand-in";

  /** {@code user:password}. */
  volatile String login;

  /** Whether it takes no more pulls for now. */
  volatile boolean limited;

  /** By {@code name:tag}. */
  final Map<String, String> digests = new ConcurrentHashMap<>();

  /** Every proof of identity that it was shown. */
  final List<String> shown = new CopyOnWriteArrayList<>();

  private final HttpServer server;

  StandInRegistry(String login) throws IOException {
    this.login = login;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v2/", this::manifest);
    server.createContext("/token", this::token);
    server.start();
  }

  /** As images name it. */
  String host() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  private void token(HttpExchange call) throws IOException {
    var wanted = "Basic " + Base64.getEncoder().encodeToString(login.getBytes(UTF_8));
    var let = wanted.equals(proof(call));
    answer(call, let ? 200 : 401, let ? "{\"token\":\"" + TOKEN + "\"}" : "{}");
  }

  private void manifest(HttpExchange call) throws IOException {
    if (limited) {
      answer(call, 429, "{}");
    } else if (!("Bearer " + TOKEN).equals(proof(call))) {
      var realm = "Bearer realm=\"http://" + host() + "/token\",service=\"stand-in\"";
      call.getResponseHeaders().add("WWW-Authenticate", realm);
      answer(call, 401, "{}");
    } else {
      var path = call.getRequestURI().getPath().substring("/v2/".length());
      var digest = named(path.split("/manifests/", 2));
      digest.ifPresent(d -> call.getResponseHeaders().add("Docker-Content-Digest", d));
      answer(call, digest.isPresent() ? 200 : 404, "{}");
    }
  }

  private Optional<String> named(String[] image) {
    if (!image[1].startsWith("sha256:"))
      return Optional.ofNullable(digests.get(image[0] + ":" + image[1]));
    return Optional.of(image[1]).filter(digests::containsValue);
  }

  private String proof(HttpExchange call) {
    var proof = Optional.ofNullable(call.getRequestHeaders().getFirst("Authorization")).orElse("");
    if (!proof.isEmpty()) shown.add(proof);
    return proof;
  }

  private static void answer(HttpExchange call, int status, String body) throws IOException {
    try (call) {
      var bytes = body.getBytes(UTF_8);
      call.sendResponseHeaders(status, bytes.length);
      call.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
