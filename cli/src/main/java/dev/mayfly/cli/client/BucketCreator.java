package dev.mayfly.cli.client;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.wire.Wire;

/** Creates buckets in the laptop cloud. */
public final class BucketCreator {
  private static final int EXISTS = 409;

  private final HttpTransport httpTransport;
  private final DeploymentEndpoints deploymentEndpoints;

  public BucketCreator(HttpTransport httpTransport, DeploymentEndpoints deploymentEndpoints) {
    this.httpTransport = httpTransport;
    this.deploymentEndpoints = deploymentEndpoints;
  }

  private record Bucket(String name) {}

  /**
   * Creates the bucket of a location unless it exists. Folders need no bucket, and the deployment
   * creates a project's buckets with their rights.
   */
  public void ensure(String place) {
    if (deploymentEndpoints.cloud().isEmpty()) return;
    var root = ObjectUrl.of(place).root();
    if (!root.startsWith("gs://")) return;
    var name = root.substring("gs://".length());
    var url =
        deploymentEndpoints.storage()
            + "/storage/v1/b?project="
            + HttpTransport.urlEncode(deploymentEndpoints.project());
    var reply = httpTransport.post(url, Wire.shared().json(new Bucket(name)));
    if (reply.ok() || reply.status() == EXISTS) return;
    throw new CommandException(
        CommandExitCode.UNAVAILABLE,
        "bucket "
            + root
            + " cannot be created (HTTP "
            + reply.status()
            + "): "
            + reply.text().strip());
  }
}
