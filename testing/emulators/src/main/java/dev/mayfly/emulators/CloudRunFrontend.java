package dev.mayfly.emulators;

import dev.mayfly.local.access.AccessGuard;
import dev.mayfly.local.access.AccessLevel;
import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.CallFaultInjector;
import dev.mayfly.local.http.LoopbackServer;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.http.RestHandler;
import dev.mayfly.local.http.Route;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;

/**
 * Plays Cloud Run's load balancer: distributes HTTP calls over a function's instances, issues
 * identity tokens to functions, and has fault controls that kill or suspend an instance or cut
 * connections.
 */
final class CloudRunFrontend {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String OWN = "Bearer e30.";
  private static final String TOKEN = "/computeMetadata/v1/instance/service-accounts/default/";
  private static final List<String> HANDED_ON = List.of("Authorization", "Content-Type");

  private final Map<String, FunctionInstances> functions;
  private final List<DroppingProxy> proxies;
  private final String account;
  private final ToIntFunction<String> authenticator;

  /** Signs only the tokens issued to functions here. */
  private final OwnerToken signer = OwnerToken.random();

  private final InstantSource clock;
  private final AtomicInteger killed = new AtomicInteger();

  /**
   * @param account the service account of functions
   * @param authenticator maps an agent's {@code Authorization} to 0 for admission, or to the status
   *     of a refusal
   */
  CloudRunFrontend(
      Map<String, FunctionInstances> functions,
      List<DroppingProxy> proxies,
      String account,
      ToIntFunction<String> authenticator,
      InstantSource clock) {
    this.functions = Map.copyOf(functions);
    this.proxies = List.copyOf(proxies);
    this.account = account;
    this.authenticator = authenticator;
    this.clock = clock;
  }

  /** Serves until it is closed; port 0 means any free port. */
  LoopbackServer start(int port, AccessGuard accessGuard) throws IOException {
    var routes = new ArrayList<Route>();
    routes.add(new Route("/api/", forward("/api", "api"), AccessLevel.IDENTITY));
    routes.add(
        new Route("/workers/", authenticated(forward("/workers", "workers")), AccessLevel.PUBLIC));
    routes.add(new Route("/functions/mayfly-vm-events", forward("/functions", "vm-events")));
    routes.add(new Route(TOKEN, this::token, AccessLevel.SAME_USER));
    routes.add(new Route("/_sim/functions/kill", this::kill));
    routes.add(new Route("/_sim/functions/stall", this::stall));
    routes.add(new Route("/_sim/connections/drop", this::drop));
    return LoopbackServer.start(port, routes, CallFaultInjector.NONE, accessGuard);
  }

  /** Like Cloud Run, checks the signature; the function reads the claims. */
  private RestHandler authenticated(RestHandler handler) {
    return restCall -> {
      var header = restCall.header("Authorization").orElse("");
      var refusal = isOwn(header) ? 0 : authenticator.applyAsInt(header);
      if (refusal == 0) handler.answer(restCall);
      else
        throw new ApiError(
            refusal, refusal == 503 ? "backendError" : "forbidden", "no token of this cloud came");
    };
  }

  private boolean isOwn(String header) {
    var dot = header.lastIndexOf('.');
    if (!header.startsWith(OWN) || dot < OWN.length()) return false;
    var seal = signer.seal(header.substring(OWN.length(), dot)).getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(seal, header.substring(dot + 1).getBytes(StandardCharsets.UTF_8));
  }

  private RestHandler forward(String prefix, String name) {
    var functionInstances = functions.get(name);
    if (functionInstances == null) throw new IllegalArgumentException("unknown function " + name);
    return restCall -> {
      var body = restCall.body().readAllBytes();
      try {
        answer(restCall, send(functionInstances, restCall, prefix, body));
      } catch (InterruptedException e) {
        // Ends the connection without an answer.
        Thread.currentThread().interrupt();
      }
    };
  }

  /**
   * Sends a call to an instance. If the instance dies, reads are resent and other calls are
   * answered as Cloud Run does.
   */
  private static HttpResponse<byte[]> send(
      FunctionInstances functionInstances, RestCall restCall, String prefix, byte[] body)
      throws InterruptedException {
    var again = restCall.method().equals("GET") ? 3 : 1;
    while (true)
      try {
        return functionInstances.send(url -> request(url, restCall, prefix, body));
      } catch (IOException died) {
        if (--again == 0)
          throw ApiError.unavailable("the instance ended before its answer: " + died);
      }
  }

  private static HttpRequest request(String url, RestCall restCall, String prefix, byte[] body) {
    var query = restCall.rawQuery().map(raw -> "?" + raw).orElse("");
    var path = restCall.uri().getRawPath().substring(prefix.length());
    var request =
        HttpRequest.newBuilder(URI.create(url + path + query))
            .timeout(LIMIT)
            .method(restCall.method(), HttpRequest.BodyPublishers.ofByteArray(body));
    restCall
        .headers()
        .forEach((name, values) -> {
          if (HANDED_ON.contains(name) || name.startsWith("Ce-"))
            request.header(name, values.getFirst());
        });
    return request.build();
  }

  private static void answer(RestCall restCall, HttpResponse<byte[]> response) throws IOException {
    for (var name : List.of("Content-Type", "Cache-Control", "Allow", "WWW-Authenticate"))
      response.headers().firstValue(name).ifPresent(value -> restCall.answerHeader(name, value));
    restCall.answer(response.statusCode(), response.body());
  }

  /** Answers with a function's identity token. */
  private void token(RestCall restCall) throws IOException {
    var audience = restCall.query("audience").orElse("");
    var claims =
        "{\"aud\":\"%s\",\"email\":\"%s\",\"exp\":%d}"
            .formatted(
                audience.replaceAll("[\"\\\\]", ""),
                account,
                clock.instant().getEpochSecond() + 3_600);
    var encoder = Base64.getUrlEncoder().withoutPadding();
    var part = encoder.encodeToString(claims.getBytes(StandardCharsets.UTF_8));
    restCall.answerText(200, "e30." + part + "." + signer.seal(part));
  }

  /** Kills an instance, the next one with each call. */
  private void kill(RestCall restCall) throws IOException {
    var all =
        functions.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .flatMap(entry -> entry.getValue().processes().stream())
            .toList();
    var victim = all.get(Math.floorMod(killed.getAndIncrement(), all.size()));
    var _ = victim.kill();
    restCall.answerText(200, victim.name());
  }

  /** Suspends the named instance for some seconds. */
  private void stall(RestCall restCall) throws IOException {
    var name = restCall.query("name").orElse("workers-1");
    var seconds = restCall.parameters().amount("seconds").orElse(60);
    var named =
        functions.values().stream()
            .flatMap(i -> i.processes().stream())
            .filter(p -> p.name().equals(name))
            .findFirst()
            .orElseThrow(() ->
                ApiError.invalid("Parameter 'name' is '" + name + "'; it must be an instance"));
    named.stall(Duration.ofSeconds(seconds));
    restCall.answerText(200, name);
  }

  private void drop(RestCall restCall) throws IOException {
    restCall.answerText(
        200, Integer.toString(proxies.stream().mapToInt(DroppingProxy::drop).sum()));
  }
}
