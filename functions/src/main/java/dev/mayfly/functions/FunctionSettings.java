package dev.mayfly.functions;

import dev.mayfly.functions.handler.AllowedAccounts;
import dev.mayfly.functions.webhook.WebhookReach;
import dev.mayfly.gcp.EndpointOverride;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A function's settings, from its environment; {@link EnvironmentVariable} describes each.
 *
 * @param identity whether agents must prove their machine's identity
 * @param overrides replacements of Google's endpoints, such as emulators
 */
record FunctionSettings(
    String project,
    Optional<String> region,
    String workersUrl,
    String database,
    String network,
    Optional<String> subnetwork,
    Optional<String> agentAccount,
    Optional<String> autoscaleAccount,
    Set<String> staticAccounts,
    Optional<Submitter> submitter,
    Optional<Bundle> bundle,
    boolean identity,
    Duration tick,
    WebhookReach webhookReach,
    EndpointOverrides overrides) {

  /** What tasks with the right to submit act as, and where they read. */
  record Submitter(String account, String apiUrl) {}

  /** The agent's bundle. */
  record Bundle(String url, String sha256) {}

  /** Endpoints of services other than Google's. */
  record EndpointOverrides(
      Optional<String> firestore,
      Optional<String> pubsub,
      Optional<String> compute,
      Optional<String> tpu,
      Optional<String> scheduler,
      Optional<String> storage,
      Optional<String> token) {
    Optional<EndpointOverride> standIn(Optional<String> place) {
      return place.map(it -> new EndpointOverride(it, token));
    }
  }

  /** The accounts that may call {@code workers}; used if {@link #identity} is true. */
  AllowedAccounts accounts() {
    return new AllowedAccounts(
        agentAccount.orElse(""), autoscaleAccount.orElse(""), staticAccounts);
  }

  /** Throws {@link IllegalArgumentException} with all problems. */
  static FunctionSettings from(Map<String, String> env) {
    var problems = new ArrayList<String>();
    var values = new EnumMap<EnvironmentVariable, String>(EnvironmentVariable.class);
    for (var environmentVariable : EnvironmentVariable.values())
      read(environmentVariable, env, values, problems);
    for (var key : env.keySet())
      if (key.startsWith("MAYFLY_") && !known(key))
        problems.add(key + " is not a setting of a function; check its spelling");
    var url = values.getOrDefault(EnvironmentVariable.MAYFLY_BUNDLE_URL, "");
    var sha = values.getOrDefault(EnvironmentVariable.MAYFLY_BUNDLE_SHA256, "");
    if (url.isEmpty() != sha.isEmpty())
      problems.add("MAYFLY_BUNDLE_URL and MAYFLY_BUNDLE_SHA256 go together; set both or none");
    if (values.getOrDefault(EnvironmentVariable.MAYFLY_SUBMITTER_ACCOUNT, "").isEmpty()
        != values.getOrDefault(EnvironmentVariable.MAYFLY_API_URL, "").isEmpty())
      problems.add("MAYFLY_SUBMITTER_ACCOUNT and MAYFLY_API_URL go together; set both or none");
    if (values.getOrDefault(EnvironmentVariable.MAYFLY_IDENTITY, "").equals("required"))
      for (var account :
          List.of(
              EnvironmentVariable.MAYFLY_AGENT_ACCOUNT,
              EnvironmentVariable.MAYFLY_AUTOSCALE_ACCOUNT))
        if (values.getOrDefault(account, "").isEmpty())
          problems.add(account.missing() + " where MAYFLY_IDENTITY is required");
    if (!problems.isEmpty()) throw new IllegalArgumentException(String.join("\n", problems));
    return of(new Values(values));
  }

  private static void read(
      EnvironmentVariable environmentVariable,
      Map<String, String> env,
      Map<EnvironmentVariable, String> values,
      ArrayList<String> problems) {
    var value = env.getOrDefault(environmentVariable.name(), "");
    if (!value.isEmpty()) {
      environmentVariable.problem(value).ifPresent(problems::add);
      values.put(environmentVariable, value);
    } else if (environmentVariable.isRequired()) problems.add(environmentVariable.missing());
    else values.put(environmentVariable, environmentVariable.defaultValue().orElseThrow());
  }

  private static boolean known(String key) {
    for (var environmentVariable : EnvironmentVariable.values())
      if (environmentVariable.name().equals(key)) return true;
    return false;
  }

  private record Values(Map<EnvironmentVariable, String> all) {
    String text(EnvironmentVariable environmentVariable) {
      return all.getOrDefault(environmentVariable, "");
    }

    Optional<String> some(EnvironmentVariable environmentVariable) {
      return Optional.of(text(environmentVariable)).filter(v -> !v.isEmpty());
    }
  }

  private static FunctionSettings of(Values values) {
    return new FunctionSettings(
        values.text(EnvironmentVariable.GOOGLE_CLOUD_PROJECT),
        values.some(EnvironmentVariable.MAYFLY_REGION),
        values.text(EnvironmentVariable.MAYFLY_WORKERS_URL),
        values.text(EnvironmentVariable.MAYFLY_DATABASE),
        values.text(EnvironmentVariable.MAYFLY_NETWORK),
        values.some(EnvironmentVariable.MAYFLY_SUBNETWORK),
        values.some(EnvironmentVariable.MAYFLY_AGENT_ACCOUNT),
        values.some(EnvironmentVariable.MAYFLY_AUTOSCALE_ACCOUNT),
        values
            .some(EnvironmentVariable.MAYFLY_STATIC_ACCOUNTS)
            .map(all -> Set.copyOf(List.of(all.split(","))))
            .orElse(Set.of()),
        values
            .some(EnvironmentVariable.MAYFLY_SUBMITTER_ACCOUNT)
            .map(it -> new Submitter(it, values.text(EnvironmentVariable.MAYFLY_API_URL))),
        values
            .some(EnvironmentVariable.MAYFLY_BUNDLE_URL)
            .map(url -> new Bundle(url, values.text(EnvironmentVariable.MAYFLY_BUNDLE_SHA256))),
        values.text(EnvironmentVariable.MAYFLY_IDENTITY).equals("required"),
        Duration.ofSeconds(Long.parseLong(values.text(EnvironmentVariable.MAYFLY_TICK_SECONDS))),
        values.text(EnvironmentVariable.MAYFLY_WEBHOOK_REACH).equals("internet")
            ? WebhookReach.INTERNET
            : WebhookReach.PRIVATE_NETWORKS,
        new EndpointOverrides(
            values.some(EnvironmentVariable.FIRESTORE_EMULATOR_HOST),
            values.some(EnvironmentVariable.PUBSUB_EMULATOR_HOST),
            values.some(EnvironmentVariable.MAYFLY_COMPUTE_ENDPOINT),
            values.some(EnvironmentVariable.MAYFLY_TPU_ENDPOINT),
            values.some(EnvironmentVariable.MAYFLY_SCHEDULER_ENDPOINT),
            values.some(EnvironmentVariable.MAYFLY_STORAGE_ENDPOINT),
            values.some(EnvironmentVariable.MAYFLY_ENDPOINT_TOKEN)));
  }
}
