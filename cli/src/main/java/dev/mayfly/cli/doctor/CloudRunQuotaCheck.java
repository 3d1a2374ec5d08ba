package dev.mayfly.cli.doctor;

import dev.mayfly.cli.client.GoogleApis;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks whether Cloud Run's CPUs in a region are enough for the function {@code workers}, whose
 * deployment is refused otherwise.
 */
record CloudRunQuotaCheck(GoogleApis apis, String project) {
  private static final String LIMIT = "CpuAllocPerProjectRegion";

  /** What {@code workers} asks for: 20 instances of one CPU, in thousandths as Google counts. */
  private static final long NEEDED = 20_000;

  /** Empty where the quota is enough, or cannot be read. */
  Optional<CheckResult> check(String region) {
    var apiReply =
        apis.get(
            "serviceusage",
            "/v1beta1/projects/" + project + "/services/run.googleapis.com/consumerQuotaMetrics");
    if (!apiReply.ok()) return Optional.empty();
    var buckets =
        apiReply.as(ServiceQuotas.class).all().stream()
            .flatMap(metric -> metric.limits().stream())
            .filter(limit -> limit.name().filter(name -> name.endsWith(LIMIT)).isPresent())
            .flatMap(limit -> limit.buckets().stream())
            .toList();
    return Stream.concat(
            buckets.stream().filter(b -> b.in(region)),
            buckets.stream().filter(ServiceQuotas.Bucket::anywhere))
        .findFirst()
        .filter(bucket -> bucket.limit() >= 0 && bucket.limit() < NEEDED)
        .map(bucket ->
            CheckResult.note(
                "Cloud Run " + region,
                "%s allows %d thousandths of a CPU, and function workers asks for %d; ask for more, or lower its instances in functions.json"
                    .formatted(LIMIT, bucket.limit(), NEEDED),
                Quota.page(project)));
  }
}
