package dev.mayfly.cli.client;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.wire.proof.ProvenServers;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A deployment on Google Cloud, named by {@code MAYFLY_PROJECT} and {@code MAYFLY_REGION}, which
 * determine its URLs. {@code MAYFLY_API_URL}, {@code MAYFLY_WORKERS_URL}, {@code
 * PUBSUB_EMULATOR_HOST} and {@code MAYFLY_STORAGE_ENDPOINT} override URLs, which are called without
 * credentials. A task that may submit jobs finds these variables, {@code MAYFLY_PUBSUB_URL} and
 * {@code MAYFLY_TOKEN_FILE}, whose tokens go to those URLs.
 */
public final class GcpProject {
  private static final Pattern ID = Pattern.compile("[a-z][a-z0-9-]{4,28}[a-z0-9]");
  private static final Pattern REGION = Pattern.compile("[a-z]+-[a-z]+[0-9]+");
  private static final String PUBSUB = "https://pubsub.googleapis.com";

  private final String id;
  private final String function;
  private final String workers;
  private final Map<String, String> env;

  private GcpProject(String id, String region, Map<String, String> env) {
    this.id = id;
    var functions = "https://" + region + "-" + id + ".cloudfunctions.net/mayfly-";
    this.function = functions + "api";
    this.workers = functions + "workers";
    this.env = env;
  }

  /**
   * The deployment that the environment names, if any; throws {@link CommandException} for an
   * invalid name.
   */
  public static Optional<GcpProject> of(Map<String, String> env) {
    var id = env.getOrDefault("MAYFLY_PROJECT", "");
    if (id.isBlank()) return Optional.empty();
    var region = env.getOrDefault("MAYFLY_REGION", "us-central1");
    if (!ID.matcher(id).matches())
      throw CommandException.input(
          "MAYFLY_PROJECT is '"
              + id
              + "', which is not a project id; gcloud projects list shows them");
    if (!REGION.matcher(region).matches())
      throw CommandException.input(
          "MAYFLY_REGION is '" + region + "'; it must be a region like us-central1");
    return Optional.of(new GcpProject(id, region, env));
  }

  private Optional<String> setting(String variable) {
    return Optional.ofNullable(env.get(variable)).filter(value -> !value.isBlank());
  }

  /** Without fault controls and local processes. */
  public DeploymentEndpoints endpoints() {
    return new DeploymentEndpoints(
        id,
        setting("MAYFLY_API_URL").orElse(function),
        setting("PUBSUB_EMULATOR_HOST")
            .map(host -> "http://" + host)
            .or(() -> setting("MAYFLY_PUBSUB_URL"))
            .orElse(PUBSUB),
        setting("MAYFLY_STORAGE_ENDPOINT").orElse(""),
        "",
        setting("MAYFLY_WORKERS_URL").orElse(workers),
        0,
        0,
        0);
  }

  /**
   * The token for a call: Pub/Sub gets an access token and the function an identity token; other
   * URLs get none.
   */
  public Function<String, Optional<String>> bearer(TokenSource tokenSource) {
    if (isTask()) return url -> taskBearer(url, tokenSource);
    return url -> {
      if (url.startsWith(PUBSUB + "/")) return Optional.of(tokenSource.accessToken());
      if (url.startsWith(function + "/")) return Optional.of(tokenSource.identityToken());
      return Optional.empty();
    };
  }

  /** Whether the environment is that of a task which may submit jobs. */
  private boolean isTask() {
    return setting(TaskTokenSource.FILE).isPresent();
  }

  private Optional<String> taskBearer(String url, TokenSource tokenSource) {
    var places = endpoints();
    var publishes = url.startsWith(places.pubsub() + "/");
    if (!publishes && !url.startsWith(places.api() + "/")) return Optional.empty();
    // The access token is one that the servers of a laptop cloud know.
    ProvenServers.shared().check(url, tokenSource.accessToken());
    return Optional.of(publishes ? tokenSource.accessToken() : tokenSource.identityToken());
  }

  /**
   * Tokens to call a deployment with: of the logged-in user, or of a task that may submit jobs.
   * Throws {@link dev.mayfly.core.error.DeniedException} without a login.
   */
  public interface TokenSource {
    String accessToken();

    String identityToken();
  }
}
