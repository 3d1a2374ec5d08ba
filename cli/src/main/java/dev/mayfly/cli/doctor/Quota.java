package dev.mayfly.cli.doctor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A quota of Compute Engine, of a region or of the project.
 *
 * @param metric Google's name, for example {@code SSD_TOTAL_GB}
 */
record Quota(Optional<String> metric, Optional<Double> limit, Optional<Double> usage) {
  /** Part of a region and of a project, as Compute Engine answers. */
  record Holder(Optional<List<Quota>> quotas) {
    Map<String, Quota> byMetric() {
      var all = new LinkedHashMap<String, Quota>();
      for (var quota : quotas.orElse(List.of())) all.put(quota.name(), quota);
      return all;
    }
  }

  String name() {
    return metric.orElse("");
  }

  boolean some() {
    return limit.orElse(0.0) > 0;
  }

  /** What is not used yet. */
  double free() {
    return Math.max(0, limit.orElse(0.0) - usage.orElse(0.0));
  }

  String text() {
    return "%s %.0f of %.0f".formatted(name(), usage.orElse(0.0), limit.orElse(0.0));
  }

  static String page(String project) {
    return "xdg-open 'https://console.cloud.google.com/iam-admin/quotas?project=" + project + "'";
  }
}
