package dev.mayfly.cli.doctor;

import dev.mayfly.cli.client.GoogleApis;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Checks a region's quotas. */
record QuotaCheck(GoogleApis apis, String project, String region) {
  private record Region(Optional<List<Quota>> quotas) {}

  private record Quota(Optional<String> metric, Optional<Double> limit, Optional<Double> usage) {
    String name() {
      return metric.orElse("");
    }

    boolean some() {
      return limit.orElse(0.0) > 0;
    }

    String text() {
      return "%s %.0f of %.0f".formatted(name(), usage.orElse(0.0), limit.orElse(0.0));
    }
  }

  private record Metrics(Optional<List<Metric>> metrics) {}

  private record Metric(Optional<String> displayName, Optional<List<Limit>> consumerQuotaLimits) {}

  private record Limit(Optional<List<Bucket>> quotaBuckets) {}

  private record Bucket(Optional<String> effectiveLimit, Optional<Dimensions> dimensions) {
    boolean in(String region) {
      var where = dimensions.flatMap(d -> d.region().or(d::zone)).orElse("");
      return where.equals(region) || where.startsWith(region + "-");
    }

    boolean some() {
      return !effectiveLimit.orElse("0").equals("0");
    }
  }

  private record Dimensions(Optional<String> region, Optional<String> zone) {}

  List<CheckResult> checks() {
    return List.of(machines(), tpus());
  }

  private CheckResult machines() {
    var about = "quota " + region;
    var apiReply = apis.get("compute", "/compute/v1/projects/" + project + "/regions/" + region);
    if (apiReply.missing())
      return CheckResult.wrong(
          about, "unknown region " + region, "gcloud compute regions list --project=" + project);
    if (apiReply.apiDisabled())
      return CheckResult.note(
          about,
          "quotas are visible once compute.googleapis.com is on",
          CheckResult.enableCommand("compute", project));
    if (!apiReply.ok())
      return CheckResult.denied(
          about,
          "quotas are not visible (" + apiReply.why() + ")",
          "gcloud projects add-iam-policy-binding "
              + project
              + " --member=user:YOU --condition=None --role=roles/compute.viewer");
    var quotas = apiReply.as(Region.class).quotas().orElse(List.of());
    var wanted = quotas.stream().filter(QuotaCheck::interesting).filter(Quota::some).toList();
    if (wanted.stream().noneMatch(q -> q.name().endsWith("CPUS")))
      return CheckResult.wrong(
          about,
          "no CPU quota in this region; request CPUS, and PREEMPTIBLE_CPUS for spot machines",
          "xdg-open 'https://console.cloud.google.com/iam-admin/quotas?project=" + project + "'");
    return CheckResult.ok(
        about, wanted.stream().map(Quota::text).collect(Collectors.joining(", ")));
  }

  private static boolean interesting(Quota quota) {
    var name = quota.name();
    return List.of("CPUS", "PREEMPTIBLE_CPUS", "DISKS_TOTAL_GB").contains(name)
        || (name.endsWith("_GPUS") && !name.startsWith("COMMITTED") && !name.contains("VWS"));
  }

  private CheckResult tpus() {
    var about = "TPU " + region;
    var apiReply =
        apis.get(
            "serviceusage",
            "/v1beta1/projects/" + project + "/services/tpu.googleapis.com/consumerQuotaMetrics");
    var remedy =
        "gcloud alpha services quota list --service=tpu.googleapis.com --consumer=projects/"
            + project;
    if (!apiReply.ok())
      return CheckResult.note(about, "quota is not visible (" + apiReply.why() + ")", remedy);
    var some = new ArrayList<String>();
    for (var metric : apiReply.as(Metrics.class).metrics().orElse(List.of()))
      for (var limit : metric.consumerQuotaLimits().orElse(List.of()))
        for (var bucket : limit.quotaBuckets().orElse(List.of()))
          if (bucket.in(region) && bucket.some())
            some.add(metric.displayName().orElse("?") + " " + bucket.effectiveLimit().orElse("?"));
    if (some.isEmpty()) return CheckResult.note(about, "no TPU quota in this region", remedy);
    return CheckResult.ok(about, some.stream().distinct().collect(Collectors.joining(", ")));
  }
}
