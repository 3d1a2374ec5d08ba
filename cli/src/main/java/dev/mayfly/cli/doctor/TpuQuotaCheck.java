package dev.mayfly.cli.doctor;

import dev.mayfly.cli.client.GoogleApis;
import java.util.ArrayList;
import java.util.stream.Collectors;

/** Checks which TPUs a region's quotas allow. */
record TpuQuotaCheck(GoogleApis apis, String project) {
  CheckResult check(String region) {
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
    for (var metric : apiReply.as(ServiceQuotas.class).all())
      for (var limit : metric.limits())
        for (var bucket : limit.buckets())
          if (bucket.in(region) && bucket.limit() != 0)
            some.add(metric.displayName().orElse("?") + " " + bucket.effectiveLimit().orElse("?"));
    if (some.isEmpty()) return CheckResult.note(about, "no TPU quota in this region", remedy);
    return CheckResult.ok(about, some.stream().distinct().collect(Collectors.joining(", ")));
  }
}
