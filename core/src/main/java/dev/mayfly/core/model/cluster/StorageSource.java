package dev.mayfly.core.model.cluster;

import java.util.Optional;

/** What a {@link StorageSpec} is made of. */
public sealed interface StorageSource {
  /**
   * A Filestore instance with the storage's name. Its address is looked up by that name.
   *
   * @param zone its zone, or the region of a regional one; empty for any
   * @param capacityGb for what makes it; empty for one that something else makes
   * @param tier for what makes it
   */
  record Filestore(Optional<String> zone, Optional<Long> capacityGb, Tier tier)
      implements StorageSource {
    public static final Tier USUAL = Tier.BASIC_HDD;
  }

  /** Filestore's tiers, as its API calls them. */
  enum Tier {
    BASIC_HDD(1024),
    BASIC_SSD(2560),
    ZONAL(1024),
    REGIONAL(1024);

    private final long leastGb;

    Tier(long leastGb) {
      this.leastGb = leastGb;
    }

    /** The smallest capacity that Filestore sells. */
    public long leastGb() {
      return leastGb;
    }
  }

  /**
   * @param server a host name or an address
   * @param export the path on the server
   */
  record Nfs(String server, String export) implements StorageSource {}

  /**
   * @param bucket its name, without {@code gs://}
   */
  record Bucket(String bucket) implements StorageSource {}
}
