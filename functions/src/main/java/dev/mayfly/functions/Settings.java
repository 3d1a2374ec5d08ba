package dev.mayfly.functions;

import dev.mayfly.gcp.StandIn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How a function is set up, from its environment; {@link Variable} says what each is.
 *
 * @param identity whether agents must prove which machine they are
 * @param emulators whether state and messages are in emulators, or what else stands in for Google's
 */
record Settings(
    String project,
    Optional<String> region,
    String workersUrl,
    String database,
    String network,
    Optional<String> subnetwork,
    Optional<String> agentAccount,
    Optional<String> autoscaleAccount,
    Set<String> staticAccounts,
    Optional<Bundle> bundle,
    boolean identity,
    Duration tick,
    Overrides emulators) {

  /** The agent's bundle. */
  record Bundle(String url, String sha256) {}

  /** Where the services are, if not at Google's. */
  record Overrides(
      Optional<String> firestore,
      Optional<String> pubsub,
      Optional<String> compute,
      Optional<String> tpu,
      Optional<String> scheduler,
      Optional<String> storage,
      Optional<String> token) {
    Optional<StandIn> standIn(Optional<String> place) {
      return place.map(it -> new StandIn(it, token));
    }
  }

  /** Who may call {@code workers}; asked where {@link #identity} holds. */
  Accounts accounts() {
    return new Accounts(agentAccount.orElse(""), autoscaleAccount.orElse(""), staticAccounts);
  }

  /** Throws {@link IllegalArgumentException} that names everything that is wrong. */
  static Settings from(Map<String, String> env) {
    var problems = new ArrayList<String>();
    var values = new EnumMap<Variable, String>(Variable.class);
    for (var variable : Variable.values()) read(variable, env, values, problems);
    for (var key : env.keySet())
      if (key.startsWith("MAYFLY_") && !known(key))
        problems.add(key + " is no setting of a function; look for a slip in its name");
    var url = values.getOrDefault(Variable.MAYFLY_BUNDLE_URL, "");
    var sha = values.getOrDefault(Variable.MAYFLY_BUNDLE_SHA256, "");
    if (url.isEmpty() != sha.isEmpty())
      problems.add("MAYFLY_BUNDLE_URL and MAYFLY_BUNDLE_SHA256 go together; set both or none");
    if (values.getOrDefault(Variable.MAYFLY_IDENTITY, "").equals("required"))
      for (var account : List.of(Variable.MAYFLY_AGENT_ACCOUNT, Variable.MAYFLY_AUTOSCALE_ACCOUNT))
        if (values.getOrDefault(account, "").isEmpty())
          problems.add(account.missing() + " where MAYFLY_IDENTITY is required");
    if (!problems.isEmpty()) throw new IllegalArgumentException(String.join("\n", problems));
    return of(new Values(values));
  }

  private static void read(
      Variable variable,
      Map<String, String> env,
      Map<Variable, String> values,
      ArrayList<String> problems) {
    var value = env.getOrDefault(variable.name(), "");
    if (!value.isEmpty()) {
      variable.problem(value).ifPresent(problems::add);
      values.put(variable, value);
    } else if (variable.required()) problems.add(variable.missing());
    else values.put(variable, variable.standard().orElseThrow());
  }

  private static boolean known(String key) {
    for (var variable : Variable.values()) if (variable.name().equals(key)) return true;
    return false;
  }

  private record Values(Map<Variable, String> all) {
    String text(Variable variable) {
      return all.getOrDefault(variable, "");
    }

    Optional<String> some(Variable variable) {
      return Optional.of(text(variable)).filter(v -> !v.isEmpty());
    }
  }

  private static Settings of(Values values) {
    return new Settings(
        values.text(Variable.GOOGLE_CLOUD_PROJECT),
        values.some(Variable.MAYFLY_REGION),
        values.text(Variable.MAYFLY_WORKERS_URL),
        values.text(Variable.MAYFLY_DATABASE),
        values.text(Variable.MAYFLY_NETWORK),
        values.some(Variable.MAYFLY_SUBNETWORK),
        values.some(Variable.MAYFLY_AGENT_ACCOUNT),
        values.some(Variable.MAYFLY_AUTOSCALE_ACCOUNT),
        values
            .some(Variable.MAYFLY_STATIC_ACCOUNTS)
            .map(all -> Set.copyOf(List.of(all.split(","))))
            .orElse(Set.of()),
        values
            .some(Variable.MAYFLY_BUNDLE_URL)
            .map(url -> new Bundle(url, values.text(Variable.MAYFLY_BUNDLE_SHA256))),
        values.text(Variable.MAYFLY_IDENTITY).equals("required"),
        Duration.ofSeconds(Long.parseLong(values.text(Variable.MAYFLY_TICK_SECONDS))),
        new Overrides(
            values.some(Variable.FIRESTORE_EMULATOR_HOST),
            values.some(Variable.PUBSUB_EMULATOR_HOST),
            values.some(Variable.MAYFLY_COMPUTE_ENDPOINT),
            values.some(Variable.MAYFLY_TPU_ENDPOINT),
            values.some(Variable.MAYFLY_SCHEDULER_ENDPOINT),
            values.some(Variable.MAYFLY_STORAGE_ENDPOINT),
            values.some(Variable.MAYFLY_ENDPOINT_TOKEN)));
  }
}
