package dev.mayfly.cli.doctor;

import dev.mayfly.cli.client.GoogleApis;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Checks that Terraform's resources exist and work. */
record DeploymentCheck(GoogleApis apis, String project, List<String> regions, String database) {
  static final List<String> FUNCTIONS =
      List.of(
          "jobs",
          "clusters",
          "autoscale",
          "cleanup",
          "vm-events",
          "notifications",
          "workers",
          "api");
  static final String APPLY =
      "terraform apply  # in the folder that you deploy from: docs/deploy.md, step 4";

  private record Functions(Optional<List<Function>> functions) {}

  private record Function(Optional<String> name, Optional<String> state) {
    /** One part of {@code projects/P/locations/R/functions/F}. */
    String part(int index) {
      var parts = name.orElse("").split("/", -1);
      return parts.length > index ? parts[index] : "";
    }
  }

  private record Database(
      Optional<String> type,
      Optional<String> deleteProtectionState,
      Optional<String> pointInTimeRecoveryEnablement) {}

  private record Schedule(Optional<String> state) {}

  private record Locations(Optional<List<Location>> locations) {}

  private record Location(Optional<String> locationId) {}

  /**
   * What was found.
   *
   * @param there whether there is a deployment, however whole
   */
  record Deployment(boolean there, List<CheckResult> results) {}

  Deployment deployment() {
    var apiReply = apis.get("cloudfunctions", "/v2/projects/" + project + "/locations/-/functions");
    // Before the first apply the API is disabled.
    if (apiReply.apiDisabled()) return notDeployed();
    if (!apiReply.ok())
      return new Deployment(
          true,
          List.of(
              CheckResult.note(
                  "functions", "they cannot be listed (" + apiReply.why() + ")", APPLY)));
    var found = new TreeMap<String, Function>();
    for (var function : apiReply.as(Functions.class).functions().orElse(List.of()))
      if (function.part(5).startsWith("mayfly-")) found.put(function.part(5), function);
    if (found.isEmpty()) return notDeployed();
    var region = found.firstEntry().getValue().part(3);
    var checkResults = new ArrayList<CheckResult>();
    checkResults.add(functions(region, found));
    var state = databaseFound();
    checkResults.add(state);
    // A missing database has no indexes.
    if (state.verdict() != CheckResult.Verdict.WRONG)
      checkResults.add(new FirestoreIndexCheck(apis, project, database).check());
    checkResults.add(schedule(region, "mayfly-autoscale", true));
    checkResults.add(schedule(region, "mayfly-cleanup", false));
    return new Deployment(true, checkResults);
  }

  private Deployment notDeployed() {
    var checkResults = new ArrayList<CheckResult>();
    checkResults.add(CheckResult.note("functions", "Mayfly is not deployed here yet", APPLY));
    if (!regions.isEmpty()) ticksPossible(regions.getFirst()).ifPresent(checkResults::add);
    new LeftMachinesCheck(apis, project).check().ifPresent(checkResults::add);
    return new Deployment(false, checkResults);
  }

  /** Empty where the region has Cloud Scheduler, or its API is off still. */
  private Optional<CheckResult> ticksPossible(String region) {
    var apiReply =
        apis.get("cloudscheduler", "/v1/projects/" + project + "/locations?pageSize=500");
    if (!apiReply.ok()) return Optional.empty();
    var known =
        apiReply.as(Locations.class).locations().orElse(List.of()).stream()
            .flatMap(it -> it.locationId().stream())
            .sorted()
            .toList();
    if (known.isEmpty() || known.contains(region)) return Optional.empty();
    return Optional.of(
        CheckResult.wrong(
            "ticks",
            "Cloud Scheduler is not in "
                + region
                + ", and the control plane needs it; take another region for it",
            "gcloud scheduler locations list --project=" + project));
  }

  private CheckResult functions(String region, Map<String, Function> found) {
    var missing = new ArrayList<String>();
    var broken = new ArrayList<String>();
    for (var name : FUNCTIONS) {
      var function = found.get("mayfly-" + name);
      if (function == null) missing.add(name);
      else if (!function.state().orElse("").equals("ACTIVE"))
        broken.add(name + " is " + function.state().orElse("in no state"));
    }
    if (!missing.isEmpty())
      return CheckResult.wrong("functions", "missing: " + String.join(", ", missing), APPLY);
    if (!broken.isEmpty())
      return CheckResult.wrong(
          "functions",
          String.join(", ", broken),
          "gcloud functions describe mayfly-%s --region=%s --project=%s"
              .formatted(broken.getFirst().split(" ", -1)[0], region, project));
    return CheckResult.ok("functions", FUNCTIONS.size() + " are active in " + region);
  }

  private CheckResult databaseFound() {
    var apiReply = apis.get("firestore", "/v1/projects/" + project + "/databases/" + database);
    if (!apiReply.ok())
      return CheckResult.wrong(
          "database", database + " does not exist (" + apiReply.why() + ")", APPLY);
    var it = apiReply.as(Database.class);
    if (!it.type().orElse("").equals("FIRESTORE_NATIVE"))
      return CheckResult.wrong(
          "database",
          database + " is " + it.type().orElse("of no type") + "; it must be FIRESTORE_NATIVE",
          "gcloud firestore databases describe --database=" + database + " --project=" + project);
    if (!it.deleteProtectionState().orElse("").endsWith("ENABLED"))
      return CheckResult.note(
          "database",
          database + " can be deleted by mistake",
          "gcloud firestore databases update --database=%s --delete-protection --project=%s"
              .formatted(database, project));
    return CheckResult.ok("database", database + ", native, protected");
  }

  private CheckResult schedule(String region, String name, boolean pauses) {
    var path = "/v1/projects/%s/locations/%s/jobs/%s".formatted(project, region, name);
    var apiReply = apis.get("cloudscheduler", path);
    if (!apiReply.ok())
      return CheckResult.wrong("ticks", name + " does not exist (" + apiReply.why() + ")", APPLY);
    var state = apiReply.as(Schedule.class).state().orElse("");
    if (state.equals("ENABLED")) return CheckResult.ok("ticks", name + " is on");
    if (state.equals("PAUSED") && pauses)
      return CheckResult.ok("ticks", name + " is paused: nothing needs it");
    return CheckResult.wrong(
        "ticks",
        name + " is " + state,
        "gcloud scheduler jobs resume %s --location=%s --project=%s"
            .formatted(name, region, project));
  }
}
