package dev.mayfly.agent;

import dev.mayfly.agent.credentials.AccessTokenCache;
import dev.mayfly.agent.credentials.IamTokenClient;
import dev.mayfly.agent.credentials.IdentityTokenCache;
import dev.mayfly.agent.credentials.SubmitterCredentialSource;
import dev.mayfly.agent.machine.MetadataClient;
import dev.mayfly.agent.task.BaseEnvironment;
import dev.mayfly.agent.task.SubmitterAccess;
import dev.mayfly.agent.task.TaskAccess;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.Secrets;
import dev.mayfly.gcs.AccessTokenSupplier;
import dev.mayfly.gcs.StoreSettings;
import dev.mayfly.gcs.secrets.CloudSecrets;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Assembles what the agent proves itself with, and what it gives to tasks with more rights.
 *
 * @param environment of this process
 * @param metadataClient empty on a machine without a metadata server
 */
record CredentialWiring(
    Map<String, String> environment,
    Optional<MetadataClient> metadataClient,
    NodeSettings nodeSettings) {
  private static final String IAM = "https://iamcredentials.googleapis.com";
  private static final Duration MAX_TOKEN_TIME = Duration.ofSeconds(5);

  /** What tasks with more rights find. */
  TaskAccess taskAccess() {
    var metadata =
        metadataClient.isPresent()
            ? BaseEnvironment.ofMetadata(environment)
            : Map.<String, String>of();
    return new TaskAccess(metadata, nodeSettings.submitter().map(this::submitterAccess));
  }

  private SubmitterAccess submitterAccess(NodeSettings.Submitter submitter) {
    var endpoint = Optional.ofNullable(environment.get(StoreSettings.ENDPOINT));
    var clock = Clock.systemUTC();
    var tokens =
        new SubmitterCredentialSource(
            endpoint.orElse(IAM), submitter.account(), submitter.apiUrl(), access(), clock);
    var variables = new HashMap<String, String>();
    variables.put("MAYFLY_API_URL", submitter.apiUrl());
    variables.put("MAYFLY_PUBSUB_URL", submitter.pubsubUrl());
    submitter.region().ifPresent(region -> variables.put("MAYFLY_REGION", region));
    endpoint.ifPresent(url -> variables.put(StoreSettings.ENDPOINT, url));
    return new SubmitterAccess(this::project, variables, tokens, clock);
  }

  /** The token of the machine's service account; on a static worker, of the logged-in user. */
  Supplier<String> access() {
    if (metadataClient.isPresent()) {
      return new AccessTokenCache(metadataClient.get(), Clock.systemUTC());
    }
    // Never send a Google login to an endpoint other than Google's.
    return environment.containsKey(StoreSettings.ENDPOINT)
        ? () -> environment.getOrDefault(StoreSettings.TOKEN, "nobody")
        : new AccessTokenSupplier();
  }

  Secrets secrets() {
    if (metadataClient.isEmpty() && nodeSettings.account().isEmpty()) {
      return reference -> {
        throw new MissingPermissionException(
            "secret " + reference + ": this machine has no identity to read it with");
      };
    }
    var endpoint = environment.getOrDefault(StoreSettings.ENDPOINT, CloudSecrets.ENDPOINT);
    return CloudSecrets.reader(endpoint, this::project, access());
  }

  String project() {
    return Optional.ofNullable(environment.get("GOOGLE_CLOUD_PROJECT"))
        .or(() -> metadataClient.flatMap(MetadataClient::project))
        .orElseThrow(() -> new UnavailableException("the metadata server has no project"));
  }

  /** Over plain HTTP a token is sent to this machine only. */
  Optional<IdentityTokenCache> identity() {
    var url = nodeSettings.workerInfo().workersUrl();
    var host = String.valueOf(URI.create(url).getHost());
    var safe = url.startsWith("https://") || host.equals("127.0.0.1") || host.equals("localhost");
    if (!nodeSettings.identity() || !safe) {
      return Optional.empty();
    }
    if (nodeSettings.account().isPresent()) {
      var endpoint = environment.getOrDefault(StoreSettings.ENDPOINT, IAM);
      var own = new IamTokenClient(endpoint, nodeSettings.account().get(), url, access());
      return Optional.of(new IdentityTokenCache(own, Clock.systemUTC()));
    }
    if (metadataClient.isEmpty()) {
      return Optional.empty();
    }
    var server = MetadataClient.of(environment, MAX_TOKEN_TIME);
    return Optional.of(new IdentityTokenCache(() -> server.identityToken(url), Clock.systemUTC()));
  }
}
