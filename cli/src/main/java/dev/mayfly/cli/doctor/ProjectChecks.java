package dev.mayfly.cli.doctor;

import dev.mayfly.cli.client.GoogleApis;
import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks a project before or after a deployment of Mayfly.
 *
 * @param regions regions whose quotas are checked; the first has the control plane, unless
 *     functions are found in another region
 * @param buckets without {@code gs://}
 * @param clusters whose machines are compared with the quotas
 */
record ProjectChecks(
    GoogleApis apis,
    String project,
    List<String> regions,
    List<String> buckets,
    String database,
    List<ClusterSpec> clusters) {

  private record Project(Optional<String> projectNumber, Optional<String> lifecycleState) {}

  /** The results of all checks; only the first if the project is not visible. */
  public List<CheckResult> checks() {
    var apiReply = apis.get("cloudresourcemanager", "/v1/projects/" + project);
    if (!apiReply.ok()) return List.of(notSeen(apiReply));
    var it = apiReply.as(Project.class);
    if (!it.lifecycleState().orElse("").equals("ACTIVE"))
      return List.of(
          CheckResult.wrong(
              "project",
              project + " is " + it.lifecycleState().orElse("in no state"),
              "gcloud projects undelete " + project));
    var number = it.projectNumber().orElse("unknown");
    var checkResults = new ArrayList<CheckResult>();
    checkResults.add(CheckResult.ok("project", project + ", number " + number));
    checkResults.addAll(new AccessCheck(apis, project).checks());
    checkResults.add(new ServiceAgentCheck(apis, project, number).check());
    checkResults.addAll(quotas());
    var deployment = new DeploymentCheck(apis, project, regions, database).deployment();
    for (var bucket : buckets)
      checkResults.add(new BucketCheck(apis, regions, deployment.there()).check(bucket));
    checkResults.addAll(deployment.results());
    return checkResults;
  }

  private List<CheckResult> quotas() {
    var quotas = new QuotaCheck(apis, project);
    var pools = clusters.stream().flatMap(cluster -> cluster.pools().stream()).toList();
    var all =
        Stream.concat(regions.stream(), pools.stream().flatMap(ProjectChecks::regions))
            .distinct()
            .toList();
    var checkResults = new ArrayList<>(quotas.checks(all));
    for (var pool : pools)
      new PoolQuotaCheck(quotas.read(), project).check(pool).ifPresent(checkResults::add);
    return checkResults;
  }

  /** Zones of machines of one's own are no places of Google's. */
  private static Stream<String> regions(PoolSpec pool) {
    return pool.provisioning() == Provisioning.STATIC
        ? Stream.empty()
        : pool.zones().stream().map(StorageLocation::region);
  }

  private CheckResult notSeen(GoogleApis.ApiReply apiReply) {
    if (apiReply.quotaProjectDenied())
      return CheckResult.denied(
          "project",
          "your login has no quota project, so that calls have to be charged to "
              + project
              + ", and you may not do that ("
              + apiReply.why()
              + ")",
          CheckResult.grantCommand("roles/serviceusage.serviceUsageConsumer", project));
    if (apiReply.apiDisabled())
      return CheckResult.wrong(
          "project",
          project + " is not visible while cloudresourcemanager.googleapis.com is off",
          CheckResult.enableCommand("cloudresourcemanager", project));
    return CheckResult.denied(
        "project",
        project + " does not exist or is not visible to you (" + apiReply.why() + ")",
        "gcloud projects describe " + project);
  }
}
