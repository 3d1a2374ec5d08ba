package dev.mayfly.local.guard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.local.cloud.http.Gate;
import dev.mayfly.local.cloud.http.LoopbackServer;
import dev.mayfly.local.cloud.http.Reply;
import dev.mayfly.local.cloud.http.Route;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests are written by hand: Java's client does not send another Host. */
@Timeout(60)
class GuardTest {
  private static final OwnerToken OWNER = OwnerToken.random();
  private static final List<String> PAGES =
      List.of(
          "Host: evil.example",
          "Host: 127.0.0.1.evil.example",
          "Host: localhost.evil.example:80",
          "Host: ",
          "Host: localhost\r\nOrigin: https://evil.example",
          "Host: localhost\r\nOrigin: null",
          "Host: localhost\r\nOrigin: http://localhost:3000",
          "Host: 127.0.0.1\r\nSec-Fetch-Site: cross-site",
          "Host: 127.0.0.1\r\nSec-Fetch-Site: same-site\r\nContent-Type: text/plain");

  private LoopbackServer server;
  private int answered;

  @BeforeEach
  void start() throws IOException {
    server = serve(Guard.of(OWNER));
  }

  private LoopbackServer serve(Guard guard) throws IOException {
    var routes =
        List.of(
            route(Access.OWNER),
            route(Access.MACHINE),
            route(Access.SAME_USER),
            route(Access.ANYBODY));
    return LoopbackServer.start(0, routes, (path, mutating) -> Gate.Passage.OPEN, guard);
  }

  private Route route(Access access) {
    return new Route(
        "/" + access,
        exchange -> {
          answered++;
          Reply.text(exchange, 200, "done");
        },
        access);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private int post(Access access, String headers) throws IOException {
    return post(server, access, headers);
  }

  private static int post(LoopbackServer server, Access access, String headers) throws IOException {
    try (var socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), server.port())) {
      var call =
          "POST /%s/x HTTP/1.1\r\n%s\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi"
              .formatted(access, headers);
      socket.getOutputStream().write(call.getBytes(UTF_8));
      var answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
      return Integer.parseInt(answer.split(" ")[1]);
    }
  }

  private static String bearer(String token) {
    return "Host: 127.0.0.1\r\nAuthorization: Bearer " + token;
  }

  @Test
  void webPagesAreRefusedEverywhere() throws IOException {
    for (var access : Access.values())
      for (var page : PAGES) {
        var withToken = page + "\r\nAuthorization: Bearer " + OWNER.text();
        assertThat(post(access, page)).as(access + " " + page).isEqualTo(403);
        assertThat(post(access, withToken)).as(access + " " + page).isEqualTo(403);
      }
    assertThat(answered).isZero();
  }

  @Test
  void eachTokenOpensWhatIsItsOwn() throws IOException {
    var machine = OWNER.machine("7");
    for (var access : Access.values()) {
      assertThat(post(access, bearer(OWNER.text()))).as("%s", access).isEqualTo(200);
      assertThat(post(access, bearer(machine)))
          .as("%s", access)
          .isEqualTo(access == Access.OWNER ? 401 : 200);
    }
  }

  @Test
  void noTokenOrWrongOneIsRefused() throws IOException {
    for (var headers :
        List.of(
            "Host: localhost",
            bearer("me"),
            bearer(OwnerToken.random().text()),
            bearer(OwnerToken.random().machine("7")),
            "Host: localhost\r\nAuthorization: Basic " + OWNER.text())) {
      assertThat(post(Access.OWNER, headers)).as(headers).isEqualTo(401);
      assertThat(post(Access.MACHINE, headers)).as(headers).isEqualTo(401);
      assertThat(post(Access.SAME_USER, headers)).as("this process is the user's").isEqualTo(200);
      assertThat(post(Access.ANYBODY, headers)).as(headers).isEqualTo(200);
    }
  }

  @Test
  void everyNameOfLoopbackIsThisMachine() throws IOException {
    for (var host :
        List.of("127.0.0.1", "127.0.0.1:8420", "localhost:1", "[::1]:8420", "127.9.8.7"))
      assertThat(post(Access.ANYBODY, "Host: " + host)).as(host).isEqualTo(200);
    assertThat(post(Access.ANYBODY, "Host: localhost\r\nSec-Fetch-Site: none")).isEqualTo(200);
  }

  @Test
  void metadataServerHasItsOwnNames() throws IOException {
    try (var metadata = serve(Guard.ofMetadata(OWNER))) {
      for (var host : List.of("metadata.google.internal", "metadata", "169.254.169.254:80"))
        assertThat(post(metadata, Access.SAME_USER, "Host: " + host)).as(host).isEqualTo(200);
      for (var page : PAGES)
        assertThat(post(metadata, Access.SAME_USER, page)).as(page).isEqualTo(403);
    }
    assertThat(post(Access.ANYBODY, "Host: metadata.google.internal")).isEqualTo(403);
  }
}
