package dev.mayfly.core.plan;

import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Clusters, pools, workers and views of which a test sets only what it is about. */
final class Fixtures {
  static final long GIB = 1L << 30;
  static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

  private Fixtures() {}

  static ClusterSpec cluster(PoolSpec... pools) {
    return new ClusterSpec(
        "us-central2", "gs://lab", Map.of(), Arrays.asList(pools), Optional.empty());
  }

  static Pool pool(String name) {
    return new Pool(name);
  }

  static final class Pool {
    private final String name;
    private int cpus = 2;
    private List<String> zones = List.of("us-central2-b");
    private int min;
    private int max = 10;
    private Duration idleAfter = Duration.ofMinutes(10);
    private Duration life = Duration.ofHours(24);

    private Pool(String name) {
      this.name = name;
    }

    Pool cpus(int n) {
      cpus = n;
      return this;
    }

    Pool zones(String... some) {
      zones = List.of(some);
      return this;
    }

    Pool min(int n) {
      min = n;
      return this;
    }

    Pool max(int n) {
      max = n;
      return this;
    }

    Pool life(Duration d) {
      life = d;
      return this;
    }

    PoolSpec build() {
      return new PoolSpec(
          name,
          "n2-standard-" + cpus,
          Resources.cpu(cpus, 4L * cpus * GIB),
          zones,
          Provisioning.SPOT,
          min,
          max,
          idleAfter,
          life);
    }
  }
}
