package dev.mayfly.local.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.mayfly.local.access.AccessLevel;
import dev.mayfly.local.http.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IdentityTokenFilterTest {
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private final KeyPair keys = pair();
  private final HttpClient client = HttpClient.newHttpClient();
  private HttpServer server;
  private IdentityTokenFilter identityTokenFilter;

  @BeforeEach
  void functionBehindFilter() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    // The filter calls the cloud during a call.
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    var key = (RSAPublicKey) keys.getPublic();
    var set =
        "{\"keys\":[{\"kty\":\"RSA\",\"alg\":\"RS256\",\"use\":\"sig\",\"kid\":\"k\",\"n\":\"%s\",\"e\":\"%s\"}]}"
            .formatted(
                BASE64.encodeToString(key.getModulus().toByteArray()),
                BASE64.encodeToString(key.getPublicExponent().toByteArray()));
    server.createContext(
        "/_sim/certs",
        exchange -> {
          exchange.sendResponseHeaders(200, set.length());
          exchange.getResponseBody().write(set.getBytes(UTF_8));
          exchange.close();
        });
    identityTokenFilter =
        new IdentityTokenFilter("http://127.0.0.1:" + server.getAddress().getPort(), "");
    var function = identityTokenFilter.protect((request, response) -> response.setStatusCode(204));
    server.createContext(
        "/function",
        TestServer.handler(FunctionHost.http("/function", AccessLevel.PUBLIC, function)));
    server.start();
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  @Test
  void tokenOfThisCloudIsAdmitted() throws Exception {
    assertThat(call("Bearer " + token(keys)).statusCode()).isEqualTo(204);
  }

  @Test
  void oneAccountMayCallItsFunction() throws Exception {
    var now = Instant.ofEpochSecond(1_000);
    var claims = "{\"email\":\"%s\",\"aud\":\"%s\",\"exp\":%d,\"iss\":\"x\"}";

    assertThat(status(claims.formatted("task@lab", "http://api", 1_001), now)).isZero();
    assertThat(status(claims.formatted("agent@lab", "http://api", 1_001), now)).isEqualTo(403);
    assertThat(status(claims.formatted("task@lab", "http://workers", 1_001), now)).isEqualTo(401);
    assertThat(status(claims.formatted("task@lab", "http://api", 1_000), now)).isEqualTo(401);
    assertThat(status("nonsense", now)).isEqualTo(401);
    assertThat(identityTokenFilter.denialStatus("", "task@lab", "http://api", now)).isEqualTo(403);
  }

  private int status(String claims, Instant now) throws Exception {
    var signed = "e30." + BASE64.encodeToString(claims.getBytes(UTF_8));
    var header = "Bearer " + signed + "." + signature(keys, signed);
    return identityTokenFilter.denialStatus(header, "task@lab", "http://api", now);
  }

  @Test
  void callWithoutTokenIsRefused() throws Exception {
    assertThat(call("").statusCode()).isEqualTo(403);
    assertThat(call("Basic x").statusCode()).isEqualTo(403);
  }

  @Test
  void forgedTokenIsRefused() throws Exception {
    var changed = token(keys).replaceFirst("e30", "e31");

    for (var forged : new String[] {token(pair()), changed, "nonsense", "a.b.%%", ".."}) {
      var answer = call("Bearer " + forged);
      assertThat(answer.statusCode()).as(forged).isEqualTo(401);
      assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    }
  }

  @Test
  void newCallerIsRefusedWhileCloudIsUnavailable() throws Exception {
    server.removeContext("/_sim/certs");

    assertThat(call("Bearer " + token(keys)).statusCode()).isEqualTo(503);
  }

  private HttpResponse<String> call(String authorization) throws Exception {
    var url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/function");
    var request = HttpRequest.newBuilder(url);
    if (!authorization.isEmpty()) request.header("Authorization", authorization);
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private static String token(KeyPair keys) throws Exception {
    return "e30.e30." + signature(keys, "e30.e30");
  }

  private static String signature(KeyPair keys, String signed) throws Exception {
    var signer = Signature.getInstance("SHA256withRSA");
    signer.initSign(keys.getPrivate());
    signer.update(signed.getBytes(UTF_8));
    return BASE64.encodeToString(signer.sign());
  }

  private static KeyPair pair() {
    try {
      var generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
