package dev.mayfly.cli.doctor;

import dev.mayfly.cli.client.GoogleApis;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks a project before or after a deployment of Mayfly.
 *
 * @param regions regions whose quotas are checked; the first has the control plane, unless
 *     functions are found in another region
 * @param buckets without {@code gs://}
 */
record ProjectChecks(
    GoogleApis apis, String project, List<String> regions, List<String> buckets, String database) {

  private record Project(Optional<String> projectNumber, Optional<String> lifecycleState) {}

  /** The results of all checks; only the first if the project is not visible. */
  public List<CheckResult> checks() {
    var checkResults = new ArrayList<CheckResult>();
    var seen = projectSeen();
    checkResults.add(seen);
    if (seen.verdict() != CheckResult.Verdict.OK) return checkResults;
    checkResults.addAll(new AccessCheck(apis, project).checks());
    for (var region : regions) checkResults.addAll(new QuotaCheck(apis, project, region).checks());
    for (var bucket : buckets) checkResults.add(new BucketCheck(apis, regions).check(bucket));
    checkResults.addAll(new DeploymentCheck(apis, project, regions, database).checks());
    return checkResults;
  }

  private CheckResult projectSeen() {
    var apiReply = apis.get("cloudresourcemanager", "/v1/projects/" + project);
    if (apiReply.apiDisabled())
      return CheckResult.wrong(
          "project",
          project + " is not visible while cloudresourcemanager.googleapis.com is off",
          CheckResult.enableCommand("cloudresourcemanager", project));
    if (!apiReply.ok())
      return CheckResult.denied(
          "project",
          project + " does not exist or is not visible to you (" + apiReply.why() + ")",
          "gcloud projects describe " + project);
    var it = apiReply.as(Project.class);
    if (!it.lifecycleState().orElse("").equals("ACTIVE"))
      return CheckResult.wrong(
          "project",
          project + " is " + it.lifecycleState().orElse("in no state"),
          "gcloud projects undelete " + project);
    return CheckResult.ok("project", project + ", number " + it.projectNumber().orElse("unknown"));
  }
}
