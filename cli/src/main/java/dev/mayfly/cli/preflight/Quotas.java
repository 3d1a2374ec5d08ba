package dev.mayfly.cli.preflight;

import dev.mayfly.cli.reach.GoogleApis;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** How much of what a region would give. */
record Quotas(GoogleApis apis, String project, String region) {
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

  List<Check> checks() {
    return List.of(machines(), tpus());
  }

  private Check machines() {
    var about = "quota " + region;
    var answer = apis.get("compute", "/compute/v1/projects/" + project + "/regions/" + region);
    if (answer.missing())
      return Check.wrong(
          about,
          "there is no region " + region,
          "gcloud compute regions list --project=" + project);
    if (answer.off())
      return Check.note(
          about,
          "it can be seen once compute.googleapis.com is on",
          Check.turnOn("compute", project));
    if (!answer.ok())
      return Check.denied(
          about,
          "it cannot be seen (" + answer.why() + ")",
          "gcloud projects add-iam-policy-binding "
              + project
              + " --member=user:YOU --condition=None --role=roles/compute.viewer");
    var quotas = answer.as(Region.class).quotas().orElse(List.of());
    var wanted = quotas.stream().filter(Quotas::interesting).filter(Quota::some).toList();
    if (wanted.stream().noneMatch(q -> q.name().endsWith("CPUS")))
      return Check.wrong(
          about,
          "no CPUs may be had here; ask for CPUS, and for spot machines PREEMPTIBLE_CPUS",
          "xdg-open 'https://console.cloud.google.com/iam-admin/quotas?project=" + project + "'");
    return Check.ok(about, wanted.stream().map(Quota::text).collect(Collectors.joining(", ")));
  }

  private static boolean interesting(Quota quota) {
    var name = quota.name();
    return List.of("CPUS", "PREEMPTIBLE_CPUS", "DISKS_TOTAL_GB").contains(name)
        || (name.endsWith("_GPUS") && !name.startsWith("COMMITTED") && !name.contains("VWS"));
  }

  private Check tpus() {
    var about = "TPU " + region;
    var answer =
        apis.get(
            "serviceusage",
            "/v1beta1/projects/" + project + "/services/tpu.googleapis.com/consumerQuotaMetrics");
    var remedy =
        "gcloud alpha services quota list --service=tpu.googleapis.com --consumer=projects/"
            + project;
    if (!answer.ok())
      return Check.note(about, "quota cannot be seen (" + answer.why() + ")", remedy);
    var some = new ArrayList<String>();
    for (var metric : answer.as(Metrics.class).metrics().orElse(List.of()))
      for (var limit : metric.consumerQuotaLimits().orElse(List.of()))
        for (var bucket : limit.quotaBuckets().orElse(List.of()))
          if (bucket.in(region) && bucket.some())
            some.add(metric.displayName().orElse("?") + " " + bucket.effectiveLimit().orElse("?"));
    if (some.isEmpty()) return Check.note(about, "no TPU quota was found for this region", remedy);
    return Check.ok(about, some.stream().distinct().collect(Collectors.joining(", ")));
  }
}
