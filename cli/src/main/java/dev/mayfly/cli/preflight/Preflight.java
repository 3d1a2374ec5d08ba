package dev.mayfly.cli.preflight;

import dev.mayfly.cli.reach.GoogleApis;
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
public record Preflight(
    GoogleApis apis, String project, List<String> regions, List<String> buckets, String database) {

  private record Project(Optional<String> projectNumber, Optional<String> lifecycleState) {}

  /** Every check's result; only the first if the project cannot be seen. */
  public List<Check> checks() {
    var checks = new ArrayList<Check>();
    var seen = projectSeen();
    checks.add(seen);
    if (seen.verdict() != Check.Verdict.OK) return checks;
    checks.addAll(new Rights(apis, project).checks());
    for (var region : regions) checks.addAll(new Quotas(apis, project, region).checks());
    for (var bucket : buckets) checks.add(new Buckets(apis, regions).check(bucket));
    checks.addAll(new Deployed(apis, project, regions, database).checks());
    return checks;
  }

  private Check projectSeen() {
    var answer = apis.get("cloudresourcemanager", "/v1/projects/" + project);
    if (answer.off())
      return Check.wrong(
          "project",
          project + " cannot be seen while cloudresourcemanager.googleapis.com is off",
          Check.turnOn("cloudresourcemanager", project));
    if (!answer.ok())
      return Check.denied(
          "project",
          project + " is not there, or you may not see it (" + answer.why() + ")",
          "gcloud projects describe " + project);
    var it = answer.as(Project.class);
    if (!it.lifecycleState().orElse("").equals("ACTIVE"))
      return Check.wrong(
          "project",
          project + " is " + it.lifecycleState().orElse("in no state"),
          "gcloud projects undelete " + project);
    return Check.ok("project", project + ", number " + it.projectNumber().orElse("unknown"));
  }
}
