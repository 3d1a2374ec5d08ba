package dev.mayfly.cli.doctor;

import java.util.List;
import java.util.Optional;

/** A service's quotas as Service Usage answers. */
record ServiceQuotas(Optional<List<Metric>> metrics) {
  List<Metric> all() {
    return metrics.orElse(List.of());
  }

  record Metric(Optional<String> displayName, Optional<List<Limit>> consumerQuotaLimits) {
    List<Limit> limits() {
      return consumerQuotaLimits.orElse(List.of());
    }
  }

  /**
   * One limit.
   *
   * @param name ends in Google's word for it, such as {@code CpuAllocPerProjectRegion}
   */
  record Limit(Optional<String> name, Optional<List<Bucket>> quotaBuckets) {
    List<Bucket> buckets() {
      return quotaBuckets.orElse(List.of());
    }
  }

  record Bucket(Optional<String> effectiveLimit, Optional<Dimensions> dimensions) {
    boolean in(String region) {
      var where = dimensions.flatMap(d -> d.region().or(d::zone)).orElse("");
      return where.equals(region) || where.startsWith(region + "-");
    }

    /** Whether it is for all places that have none of their own. */
    boolean anywhere() {
      return dimensions.flatMap(d -> d.region().or(d::zone)).isEmpty();
    }

    /** Negative where there is none. */
    long limit() {
      return effectiveLimit.filter(it -> it.matches("-?\\d{1,18}")).map(Long::parseLong).orElse(0L);
    }
  }

  record Dimensions(Optional<String> region, Optional<String> zone) {}
}
