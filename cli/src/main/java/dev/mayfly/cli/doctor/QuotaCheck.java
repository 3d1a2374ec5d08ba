package dev.mayfly.cli.doctor;

import dev.mayfly.cli.client.GoogleApis;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Checks quotas, those of regions and those of the whole project, and keeps what it read, by
 * region; {@link #PROJECT} is no region's name.
 */
final class QuotaCheck {
  static final String PROJECT = "";

  /** What the first job takes: two machines of two CPUs. */
  private static final int FIRST_JOB = 4;

  private final GoogleApis apis;
  private final String project;
  private final Map<String, Map<String, Quota>> read = new HashMap<>();

  QuotaCheck(GoogleApis apis, String project) {
    this.apis = apis;
    this.project = project;
  }

  /** What could be read, by region and metric. */
  Map<String, Map<String, Quota>> read() {
    return Map.copyOf(read);
  }

  List<CheckResult> checks(List<String> regions) {
    var results = new ArrayList<CheckResult>();
    wholeProject().ifPresent(results::add);
    for (var region : regions) {
      results.add(machines(region));
      results.add(new TpuQuotaCheck(apis, project).check(region));
      new CloudRunQuotaCheck(apis, project).check(region).ifPresent(results::add);
    }
    return results;
  }

  /** Empty where it cannot be read: the regions' lines say why. */
  private Optional<CheckResult> wholeProject() {
    var about = "quota project";
    var apiReply = apis.get("compute", "/compute/v1/projects/" + project);
    if (!apiReply.ok()) return Optional.empty();
    var quotas = apiReply.as(Quota.Holder.class).byMetric();
    read.put(PROJECT, quotas);
    var wanted =
        List.of("CPUS_ALL_REGIONS", "GPUS_ALL_REGIONS").stream()
            .flatMap(name -> Optional.ofNullable(quotas.get(name)).stream())
            .toList();
    if (wanted.isEmpty()) return Optional.empty();
    var gpus = Optional.ofNullable(quotas.get("GPUS_ALL_REGIONS")).filter(q -> !q.some());
    if (gpus.isPresent())
      return Optional.of(
          CheckResult.note(
              about,
              texts(wanted) + ": no machine with a GPU starts until you have some",
              Quota.page(project)));
    return Optional.of(verdict(about, wanted));
  }

  private CheckResult machines(String region) {
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
          CheckResult.grantCommand("roles/compute.viewer", project));
    var quotas = apiReply.as(Quota.Holder.class).byMetric();
    read.put(region, quotas);
    var wanted = quotas.values().stream().filter(QuotaCheck::interesting).toList();
    var cpus = wanted.stream().filter(q -> q.name().endsWith("CPUS")).toList();
    if (cpus.isEmpty())
      return CheckResult.wrong(
          about,
          "no CPU quota in this region; request CPUS, and PREEMPTIBLE_CPUS for spot machines",
          Quota.page(project));
    if (cpus.stream().allMatch(q -> q.free() < FIRST_JOB))
      return CheckResult.note(
          about,
          texts(wanted) + ": the first job takes " + FIRST_JOB + " CPUs, and fewer are free",
          Quota.page(project));
    return verdict(about, wanted);
  }

  /** A full one is no reason to fail: it may be full of one's own machines. */
  private CheckResult verdict(String about, List<Quota> quotas) {
    var full = quotas.stream().filter(q -> q.free() == 0).map(Quota::name).toList();
    return full.isEmpty()
        ? CheckResult.ok(about, texts(quotas))
        : CheckResult.note(
            about,
            texts(quotas) + ": nothing is left of " + String.join(", ", full),
            Quota.page(project));
  }

  private static String texts(List<Quota> quotas) {
    return quotas.stream().map(Quota::text).collect(Collectors.joining(", "));
  }

  /** Those that any machine may need; a zero means that another one is asked, or none is there. */
  private static boolean interesting(Quota quota) {
    var name = quota.name();
    var wanted =
        List.of("CPUS", "PREEMPTIBLE_CPUS", "DISKS_TOTAL_GB", "SSD_TOTAL_GB", "HDB_TOTAL_GB")
                .contains(name)
            || (name.endsWith("_GPUS") && !name.startsWith("COMMITTED") && !name.contains("VWS"));
    return wanted && quota.some();
  }
}
