package dev.mayfly.gcp;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a machine is told so that its agent can give a task the right to submit jobs: the account
 * that such tasks act as, and where they publish and read. A deployment without that account tells
 * its machines nothing, and refuses such jobs.
 */
public final class SubmitterMetadata {
  private static final String ACCOUNT = "mayfly-submitter";
  private static final String GOOGLE = "https://pubsub.googleapis.com";

  private SubmitterMetadata() {}

  /**
   * The metadata items.
   *
   * @param account the email of the service account
   * @param apiUrl of the function {@code api}, without a slash at its end
   * @param region of the control plane, if it has one
   * @param pubsub replaces Pub/Sub's endpoint, as {@code http://127.0.0.1:8420}
   */
  public static Map<String, String> of(
      String account, String apiUrl, Optional<String> region, Optional<String> pubsub) {
    var items = new TreeMap<String, String>();
    items.put(ACCOUNT, account);
    items.put("mayfly-api-url", apiUrl);
    items.put("mayfly-pubsub-url", pubsub.orElse(GOOGLE));
    region.ifPresent(name -> items.put("mayfly-region", name));
    return items;
  }

  /** As {@link dev.mayfly.core.port.Fleet#whyNoSubmitters}, of machines with these items. */
  public static Optional<String> missing(PoolSpec pool, Map<String, String> metadata) {
    if (!metadata.containsKey(ACCOUNT))
      return Optional.of(
          "this deployment lets no task submit; set submitters = true in its Terraform");
    return pool.provisioning() == Provisioning.STATIC
        ? Optional.of("its machines are not Mayfly's and log in as themselves")
        : Optional.empty();
  }
}
