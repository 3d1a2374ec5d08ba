package dev.mayfly.functions;

import java.util.Optional;

/**
 * All environment variables that a function reads. Terraform's environment is checked against this
 * list.
 */
enum EnvironmentVariable {
  /** The project of all resources. */
  GOOGLE_CLOUD_PROJECT("[a-z][-a-z0-9]{2,61}", "a project's id, for example lab-prod"),
  /** Where agents sync, without {@code /v1/sync} and without a trailing slash. */
  MAYFLY_WORKERS_URL("https?://.*[^/]", "a URL without a slash at its end"),
  /** The region of the functions. */
  MAYFLY_REGION("[a-z]+-[a-z]+[0-9]+", "a region, for example us-central1", ""),
  /** The Firestore database. */
  MAYFLY_DATABASE("\\(default\\)|[a-z][-a-z0-9]{3,62}", "a database's id", "(default)"),
  MAYFLY_NETWORK(
      "[^ ]+", "a network, for example global/networks/mayfly", "global/networks/default"),
  MAYFLY_SUBNETWORK("[^ ]+", "a subnetwork's name", ""),
  /** The account of machines; no other account may report for one. */
  MAYFLY_AGENT_ACCOUNT("[^@, ]+@[^@, ]+", "a service account's email", ""),
  /** The account of the function autoscale; no other account may start a liveness watch. */
  MAYFLY_AUTOSCALE_ACCOUNT("[^@, ]+@[^@, ]+", "a service account's email", ""),
  /** The accounts that static workers act as. */
  MAYFLY_STATIC_ACCOUNTS(
      "[^@, ]+@[^@, ]+(,[^@, ]+@[^@, ]+)*", "service accounts' emails with commas between", ""),
  /** The account that tasks with the right to submit act as; without it no task may. */
  MAYFLY_SUBMITTER_ACCOUNT("[^@, ]+@[^@, ]+", "a service account's email", ""),
  /** The function api, as those tasks read it. */
  MAYFLY_API_URL("https?://.*[^/]", "a URL without a slash at its end", ""),
  /** The agent's bundle; without it, the machines' image must contain the agent. */
  MAYFLY_BUNDLE_URL("(gs|https)://[^ ]+", "gs://BUCKET/NAME or https://HOST/PATH", ""),
  MAYFLY_BUNDLE_SHA256("[0-9a-f]{64}", "64 hex digits", ""),
  /** Whether agents' calls must carry their machine's identity token. */
  MAYFLY_IDENTITY("required|off", "required or off", "required"),
  /** The interval between ticks. */
  MAYFLY_TICK_SECONDS("[1-9][0-9]{0,3}", "a whole number of seconds, from 1", "60"),
  /** The addresses that clusters' webhooks may be at. */
  MAYFLY_WEBHOOK_REACH("internet|private-networks", "internet or private-networks", "internet"),

  FIRESTORE_EMULATOR_HOST("[^/: ]+:[0-9]{1,5}", "HOST:PORT", ""),
  PUBSUB_EMULATOR_HOST("[^/: ]+:[0-9]{1,5}", "HOST:PORT", ""),
  MAYFLY_COMPUTE_ENDPOINT("https?://[^/ ]+", "scheme://HOST:PORT", ""),
  MAYFLY_TPU_ENDPOINT("[^/: ]+:[0-9]{1,5}", "HOST:PORT", ""),
  MAYFLY_SCHEDULER_ENDPOINT("[^/: ]+:[0-9]{1,5}", "HOST:PORT", ""),
  MAYFLY_STORAGE_ENDPOINT("https?://[^/ ]+", "scheme://HOST:PORT", ""),
  /** The token for these endpoints. */
  MAYFLY_ENDPOINT_TOKEN("[-_.A-Za-z0-9]+", "a word", "");

  private final String pattern;
  private final String meaning;
  private final Optional<String> standard;

  EnvironmentVariable(String pattern, String meaning) {
    this.pattern = pattern;
    this.meaning = meaning;
    this.standard = Optional.empty();
  }

  EnvironmentVariable(String pattern, String meaning, String standard) {
    this.pattern = pattern;
    this.meaning = meaning;
    this.standard = Optional.of(standard);
  }

  /** Whether a function cannot start without it. */
  public boolean isRequired() {
    return standard.isEmpty();
  }

  /** Whether it replaces a Google endpoint, as on a laptop and in tests. */
  public boolean isOverride() {
    return ordinal() >= FIRESTORE_EMULATOR_HOST.ordinal();
  }

  /** Its value if it is not set; empty text means none. */
  public Optional<String> defaultValue() {
    return standard;
  }

  Optional<String> problem(String value) {
    return value.matches(pattern)
        ? Optional.empty()
        : Optional.of("%s is '%s'; it must be %s".formatted(name(), value, meaning));
  }

  String missing() {
    return "%s is not set; it must be %s".formatted(name(), meaning);
  }
}
