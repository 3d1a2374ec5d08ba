package dev.mayfly.gcp.compute;

import dev.mayfly.core.catalog.BootDisk;
import dev.mayfly.core.catalog.PlainBootImage;
import dev.mayfly.gcp.EndpointOverride;
import java.util.Map;
import java.util.Optional;

/**
 * How machines are created, besides what the pool says.
 *
 * @param project the Google Cloud project
 * @param standIn replaces the API, for example {@code http://127.0.0.1:8080}; empty for Google's
 *     own, with the credentials of the environment
 * @param image the boot disk's source image or family
 * @param diskGb the boot disk's size
 * @param network the network, as {@link dev.mayfly.gcp.NetworkNames} takes it
 * @param subnetwork the subnetwork in the machine's region; empty: the network chooses
 * @param serviceAccount the email of the account that agents run as; empty for none, and hence no
 *     permissions
 * @param metadata added to each machine's, such as a startup script; the order's items win
 */
public record ComputeSettings(
    String project,
    Optional<EndpointOverride> standIn,
    String image,
    int diskGb,
    String network,
    Optional<String> subnetwork,
    Optional<String> serviceAccount,
    Map<String, String> metadata) {
  public ComputeSettings {
    metadata = Map.copyOf(metadata);
    standIn.map(EndpointOverride::address).ifPresent(ComputeSettings::checkEndpoint);
  }

  /** Debian on 50 GB in the default network, without permissions, on Google's endpoint. */
  public static ComputeSettings of(String project) {
    return new ComputeSettings(
        project,
        Optional.empty(),
        PlainBootImage.USUAL,
        BootDisk.USUAL_GB,
        "global/networks/default",
        Optional.empty(),
        Optional.empty(),
        Map.of());
  }

  /** A copy with another endpoint, such as the laptop cloud's. */
  public ComputeSettings withEndpoint(String url) {
    return withEndpoint(new EndpointOverride(url));
  }

  public ComputeSettings withEndpoint(EndpointOverride other) {
    return new ComputeSettings(
        project, Optional.of(other), image, diskGb, network, subnetwork, serviceAccount, metadata);
  }

  /** A copy with these metadata items for each machine, and no others. */
  public ComputeSettings withMetadata(Map<String, String> items) {
    return new ComputeSettings(
        project, standIn, image, diskGb, network, subnetwork, serviceAccount, items);
  }

  /** Without a scheme the client assumes https and hangs; with a trailing slash it fails. */
  private static void checkEndpoint(String url) {
    if (!url.matches("https?://[^/]+")) {
      throw new IllegalArgumentException(
          "Compute endpoint '" + url + "' must be scheme://host:port, without a slash at its end");
    }
  }
}
