package dev.mayfly.local.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.local.http.CallFaultInjector;
import dev.mayfly.local.http.LoopbackServer;
import dev.mayfly.local.http.Route;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests are written by hand: Java's client does not send another Host. */
@Timeout(60)
class AccessGuardTest {
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
          "Host: 127.0.0.1\r\nSec-Fetch-Site: Cross-Site",
          "Host: 127.0.0.1\r\nSec-Fetch-Site: same-site\r\nContent-Type: text/plain");

  private LoopbackServer server;
  private int answered;

  @BeforeEach
  void start() throws IOException {
    server = serve(AccessGuard.of(OWNER, header -> header.endsWith(" known") ? 0 : 403));
  }

  private LoopbackServer serve(AccessGuard accessGuard) throws IOException {
    var routes = Stream.of(AccessLevel.values()).map(this::route).toList();
    return LoopbackServer.start(0, routes, CallFaultInjector.NONE, accessGuard);
  }

  private Route route(AccessLevel accessLevel) {
    return new Route(
        "/" + accessLevel,
        restCall -> {
          answered++;
          restCall.answerText(200, "done");
        },
        accessLevel);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private int post(AccessLevel accessLevel, String headers) throws IOException {
    return post(server, accessLevel, headers);
  }

  private static int post(LoopbackServer server, AccessLevel accessLevel, String headers)
      throws IOException {
    try (var socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), server.port())) {
      var call =
          "POST /%s/x HTTP/1.1\r\n%s\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi"
              .formatted(accessLevel, headers);
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
    for (var accessLevel : AccessLevel.values())
      for (var page : PAGES) {
        var withToken = page + "\r\nAuthorization: Bearer " + OWNER.text();
        assertThat(post(accessLevel, page)).as(accessLevel + " " + page).isEqualTo(403);
        assertThat(post(accessLevel, withToken)).as(accessLevel + " " + page).isEqualTo(403);
      }
    assertThat(answered).isZero();
  }

  @Test
  void eachTokenGrantsItsOwnAccess() throws IOException {
    var ofInvited =
        List.of(
            AccessLevel.IDENTITY,
            AccessLevel.PUBLISHER,
            AccessLevel.OBJECTS,
            AccessLevel.SAME_USER,
            AccessLevel.PUBLIC);
    var holders =
        Map.of(
            OWNER.text(), List.of(AccessLevel.values()),
            OWNER.machineToken("7"),
                List.of(
                    AccessLevel.MACHINE,
                    AccessLevel.OBJECTS,
                    AccessLevel.SAME_USER,
                    AccessLevel.PUBLIC),
            OWNER.taskToken("7"),
                List.of(
                    AccessLevel.PUBLISHER,
                    AccessLevel.OBJECTS,
                    AccessLevel.SAME_USER,
                    AccessLevel.PUBLIC),
            OWNER.personToken(),
                List.of(AccessLevel.OBJECTS, AccessLevel.SAME_USER, AccessLevel.PUBLIC),
            OWNER.invitation(TokenHolder.VIEWER, "ann"),
                List.of(AccessLevel.IDENTITY, AccessLevel.SAME_USER, AccessLevel.PUBLIC),
            OWNER.invitation(TokenHolder.SUBMITTER, "ann"), ofInvited,
            OWNER.invitation(TokenHolder.ADMIN, "ann"), ofInvited);
    for (var accessLevel : AccessLevel.values())
      for (var holder : holders.entrySet())
        assertThat(post(accessLevel, bearer(holder.getKey())))
            .as("%s, as Google Cloud refuses an account without the right", accessLevel)
            .isEqualTo(holder.getValue().contains(accessLevel) ? 200 : 403);
  }

  @Test
  void identityTokensReachTheirLevelOnly() throws IOException {
    assertThat(post(AccessLevel.IDENTITY, bearer("known"))).isEqualTo(200);
    assertThat(post(AccessLevel.IDENTITY, bearer("another"))).isEqualTo(403);
    assertThat(post(AccessLevel.PUBLISHER, bearer("known"))).isEqualTo(401);
    assertThat(post(AccessLevel.OWNER, bearer("known"))).isEqualTo(401);
  }

  @Test
  void noTokenOrWrongOneIsRefused() throws IOException {
    for (var headers :
        List.of(
            "Host: localhost",
            bearer("me"),
            bearer(OwnerToken.random().text()),
            bearer(OwnerToken.random().machineToken("7")),
            "Host: localhost\r\nAuthorization: Basic " + OWNER.text())) {
      assertThat(post(AccessLevel.OWNER, headers)).as(headers).isEqualTo(401);
      assertThat(post(AccessLevel.MACHINE, headers)).as(headers).isEqualTo(401);
      assertThat(post(AccessLevel.PUBLISHER, headers)).as(headers).isEqualTo(401);
      assertThat(post(AccessLevel.OBJECTS, headers)).as(headers).isEqualTo(401);
      assertThat(post(AccessLevel.SAME_USER, headers))
          .as("this process is the user's")
          .isEqualTo(200);
      assertThat(post(AccessLevel.PUBLIC, headers)).as(headers).isEqualTo(200);
    }
  }

  @Test
  void everyNameOfLoopbackIsThisMachine() throws IOException {
    for (var host :
        List.of("127.0.0.1", "127.0.0.1:8420", "localhost:1", "[::1]:8420", "127.9.8.7"))
      assertThat(post(AccessLevel.PUBLIC, "Host: " + host)).as(host).isEqualTo(200);
    assertThat(post(AccessLevel.PUBLIC, "Host: localhost\r\nSec-Fetch-Site: none")).isEqualTo(200);
  }

  @Test
  void metadataServerHasItsOwnNames() throws IOException {
    try (var metadata = serve(AccessGuard.ofMetadata(OWNER))) {
      for (var host : List.of("metadata.google.internal", "metadata", "169.254.169.254:80"))
        assertThat(post(metadata, AccessLevel.SAME_USER, "Host: " + host)).as(host).isEqualTo(200);
      for (var page : PAGES)
        assertThat(post(metadata, AccessLevel.SAME_USER, page)).as(page).isEqualTo(403);
    }
    assertThat(post(AccessLevel.PUBLIC, "Host: metadata.google.internal")).isEqualTo(403);
  }
}
