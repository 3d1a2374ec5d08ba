package dev.mayfly.cli.doctor;

import dev.mayfly.cli.client.GoogleApis;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Looks at a project before and after Mayfly is deployed to it.
 *
 * @param regions whose quotas are looked at; the first one has the control plane, unless functions
 *     are found in another
 * @param buckets without {@code gs://}
 */
record ProjectChecks(
    GoogleApis apis, String project, List<String> regions, List<String> buckets, String database) {

  private record Project(Optional<String> projectNumber, Optional<String> lifecycleState) {}

  /** Every check's result; only the first if the project cannot be seen. */
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
          project + " cannot be seen while cloudresourcemanager.googleapis.com is off",
          CheckResult.enableCommand("cloudresourcemanager", project));
    if (!apiReply.ok())
      return CheckResult.denied(
          "project",
          project + " is not there, or you may not see it (" + apiReply.why() + ")",
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
