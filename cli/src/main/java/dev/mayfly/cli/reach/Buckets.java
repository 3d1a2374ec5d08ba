package dev.mayfly.cli.reach;

import dev.mayfly.cli.exit.Exit;
import dev.mayfly.cli.exit.Refusal;
import dev.mayfly.core.port.Url;
import dev.mayfly.wire.Wire;

/** Makes buckets in the laptop cloud. */
public final class Buckets {
  private static final int EXISTS = 409;

  private final Http http;
  private final Site site;

  public Buckets(Http http, Site site) {
    this.http = http;
    this.site = site;
  }

  private record Bucket(String name) {}

  /**
   * Makes the bucket of a place; one that is there stays as it is. A folder needs none, and those
   * of a project are made with their rights when it is deployed.
   */
  public void ensure(String place) {
    if (site.cloud().isEmpty()) return;
    var root = Url.of(place).root();
    if (!root.startsWith("gs://")) return;
    var name = root.substring("gs://".length());
    var url = site.storage() + "/storage/v1/b?project=" + Http.part(site.project());
    var reply = http.post(url, Wire.shared().json(new Bucket(name)));
    if (reply.ok() || reply.status() == EXISTS) return;
    throw new Refusal(
        Exit.UNAVAILABLE,
        "bucket "
            + root
            + " cannot be made (HTTP "
            + reply.status()
            + "): "
            + reply.text().strip());
  }
}
