package dev.mayfly.local.machines;

import dev.mayfly.local.access.AccessGuard;
import dev.mayfly.local.access.AccessLevel;
import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.CallFaultInjector;
import dev.mayfly.local.http.LoopbackServer;
import dev.mayfly.local.http.QueryParameters;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.http.RestHandler;
import dev.mayfly.local.http.Route;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The metadata server of one machine, with the rules of the real one: it requires the header {@code
 * Metadata-Flavor: Google}, and has ETags and {@code wait_for_change}.
 */
final class MetadataServer implements AutoCloseable {
  private static final String ROOT = "/computeMetadata/v1/";
  private static final String ACCOUNT = "instance/service-accounts/default/";
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private final VmSpec spec;
  private final IdentityTokenSigner tokens;
  private final OwnerToken owner;
  private final InstantSource clock;
  private final WatchedValues values;
  private final LoopbackServer server;

  private MetadataServer(
      int port,
      VmSpec spec,
      IdentityTokenSigner tokens,
      OwnerToken owner,
      InstantSource clock,
      List<Route> served)
      throws IOException {
    this.spec = spec;
    this.tokens = tokens;
    this.owner = owner;
    this.clock = clock;
    this.values = new WatchedValues(MetadataValues.of(spec));
    this.server =
        LoopbackServer.start(
            port, routes(served), CallFaultInjector.NONE, AccessGuard.ofMetadata(owner));
  }

  /**
   * @param port the port, or 0 for any free port
   * @param served besides, unless their path is one of the metadata server's
   */
  static MetadataServer start(
      int port,
      VmSpec spec,
      IdentityTokenSigner tokens,
      OwnerToken owner,
      InstantSource clock,
      List<Route> served)
      throws IOException {
    return new MetadataServer(port, spec, tokens, owner, clock, served);
  }

  /**
   * Of other routes the one of the root gets what is below it, and the metadata server the rest.
   */
  private List<Route> routes(List<Route> served) {
    var routes = new ArrayList<Route>();
    var root = served.stream().filter(route -> route.prefix().equals("/")).findFirst();
    served.stream().filter(route -> !route.prefix().equals("/")).forEach(routes::add);
    routes.add(new Route("/computeMetadata", this::answer, AccessLevel.SAME_USER));
    RestHandler below =
        restCall -> {
          if (root.isPresent() && !restCall.uri().getPath().equals("/"))
            root.get().handler().answer(restCall);
          else answer(restCall);
        };
    routes.add(new Route("/", below, AccessLevel.SAME_USER));
    return routes;
  }

  int port() {
    return server.port();
  }

  void announcePreemption() {
    values.put("instance/preempted", "TRUE");
  }

  @Override
  public void close() {
    server.close();
  }

  private void answer(RestCall restCall) throws IOException {
    restCall.answerHeader("Metadata-Flavor", "Google");
    var path = restCall.uri().getPath();
    if (path.equals("/")) {
      // Google's clients detect a Google machine by this.
      restCall.answerText(200, "computeMetadata/\n");
    } else if (restCall.header("X-Forwarded-For").isPresent()) {
      restCall.answerText(403, "X-Forwarded-For is not allowed.\n");
    } else if (restCall.header("Metadata-Flavor").filter("Google"::equals).isEmpty()) {
      restCall.answerText(403, "Missing Metadata-Flavor:Google header.\n");
    } else if (!path.startsWith(ROOT)) {
      restCall.answerText(404, "Not found: " + path + "\n");
    } else {
      answerValue(restCall, path.substring(ROOT.length()));
    }
  }

  private void answerValue(RestCall restCall, String path) throws IOException {
    var value = token(path, restCall.parameters()).or(() -> value(path, restCall.parameters()));
    if (value.isEmpty()) {
      restCall.answerText(404, "Not found: " + path + "\n");
    } else {
      restCall.answerHeader("ETag", WatchedValues.tag(value.get()));
      if (value.get().startsWith("{")) {
        restCall.answerJson(200, value.get());
      } else {
        restCall.answerText(200, value.get());
      }
    }
  }

  private Optional<String> value(String path, QueryParameters queryParameters) {
    if (!queryParameters.flag("wait_for_change")) {
      return values.get(path);
    }
    var known =
        queryParameters.text("last_etag").or(() -> values.get(path).map(WatchedValues::tag));
    var wait = queryParameters.amount("timeout_sec").map(Duration::ofSeconds).orElse(LONGEST_WAIT);
    try {
      return values.awaitChange(path, known.orElse(""), wait);
    } catch (InterruptedException e) {
      // The machine is powered off.
      Thread.currentThread().interrupt();
      throw ApiError.unavailable("The metadata server is stopping");
    }
  }

  private Optional<String> token(String path, QueryParameters queryParameters) {
    return switch (path) {
      case ACCOUNT + "token" -> Optional.of(accessToken());
      case ACCOUNT + "identity" ->
          Optional.of(
              tokens.machineToken(
                  spec,
                  queryParameters
                      .text("audience")
                      .orElseThrow(() -> ApiError.invalid("non-empty audience parameter required")),
                  queryParameters.text("format").filter("full"::equals).isPresent(),
                  clock.instant()));
      default -> Optional.empty();
    };
  }

  /** This machine's token for the cloud's APIs, which gives access to objects and secrets. */
  private String accessToken() {
    return """
    {"access_token":"%s","expires_in":%d,"token_type":"Bearer"}\
    """
        .formatted(owner.machineToken(spec.id()), IdentityTokenSigner.LIFE.toSeconds());
  }
}
