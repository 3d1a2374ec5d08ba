package dev.mayfly.gcp.tpu;

import dev.mayfly.gcp.EndpointOverride;
import java.util.Map;
import java.util.Optional;

/**
 * How TPU nodes are created, besides what the pool says.
 *
 * @param project the Google Cloud project
 * @param standIn replaces the API, at {@code host:port}; empty for Google's own, with the
 *     credentials of the environment
 * @param runtime the runtime version of every node; empty for that of its generation
 * @param network the network, as {@link dev.mayfly.gcp.NetworkNames} takes it; empty for the
 *     project's default
 * @param subnetwork the subnetwork in the machine's region; empty: the network chooses
 * @param serviceAccount the email of the account that agents run as; empty for the project's
 *     default
 * @param metadata added to each machine's, such as a startup script; the order's items win
 */
public record TpuSettings(
    String project,
    Optional<EndpointOverride> standIn,
    Optional<String> runtime,
    Optional<String> network,
    Optional<String> subnetwork,
    Optional<String> serviceAccount,
    Map<String, String> metadata) {
  public TpuSettings {
    metadata = Map.copyOf(metadata);
    standIn
        .map(EndpointOverride::address)
        .filter(e -> !e.matches("[^:/]+:\\d+"))
        .ifPresent(TpuSettings::refuse);
  }

  /** In the default network, on Google's endpoint. */
  public static TpuSettings of(String project) {
    return new TpuSettings(
        project,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of());
  }

  /** A copy with another endpoint, such as the laptop cloud's. */
  public TpuSettings withEndpoint(String hostAndPort) {
    return withEndpoint(new EndpointOverride(hostAndPort));
  }

  public TpuSettings withEndpoint(EndpointOverride other) {
    return new TpuSettings(
        project, Optional.of(other), runtime, network, subnetwork, serviceAccount, metadata);
  }

  /** A copy with these metadata items for each machine, and no others. */
  public TpuSettings withMetadata(Map<String, String> items) {
    return new TpuSettings(project, standIn, runtime, network, subnetwork, serviceAccount, items);
  }

  private static void refuse(String endpoint) {
    throw new IllegalArgumentException("TPU endpoint '" + endpoint + "' must be host:port");
  }
}
