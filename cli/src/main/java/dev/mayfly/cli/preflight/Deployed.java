package dev.mayfly.cli.preflight;

import dev.mayfly.cli.reach.GoogleApis;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Whether what Terraform makes is there and works. */
record Deployed(GoogleApis apis, String project, List<String> regions, String database) {
  static final List<String> FUNCTIONS =
      List.of("jobs", "clusters", "autoscale", "cleanup", "vm-events", "workers", "api");
  private static final String APPLY =
      "terraform apply  # in the folder that you deploy from: docs/deploy.md, step 4";

  private record Functions(Optional<List<Function>> functions) {}

  private record Function(Optional<String> name, Optional<String> state) {
    /** The parts of {@code projects/P/locations/R/functions/F}. */
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

  List<Check> checks() {
    var answer = apis.get("cloudfunctions", "/v2/projects/" + project + "/locations/-/functions");
    // Before the first apply the API is off.
    if (answer.off()) return none();
    if (!answer.ok())
      return List.of(Check.note("functions", "they cannot be seen (" + answer.why() + ")", APPLY));
    var found = new TreeMap<String, Function>();
    for (var function : answer.as(Functions.class).functions().orElse(List.of()))
      if (function.part(5).startsWith("mayfly-")) found.put(function.part(5), function);
    if (found.isEmpty()) return none();
    var region = found.firstEntry().getValue().part(3);
    var checks = new ArrayList<Check>();
    checks.add(functions(region, found));
    var state = databaseFound();
    checks.add(state);
    // One that is not there has no indexes either.
    if (state.verdict() != Check.Verdict.WRONG)
      checks.add(new Indexes(apis, project, database).check());
    checks.add(schedule(region, "mayfly-autoscale", true));
    checks.add(schedule(region, "mayfly-cleanup", false));
    return checks;
  }

  private static List<Check> none() {
    return List.of(Check.note("functions", "Mayfly is not deployed here yet", APPLY));
  }

  private Check functions(String region, Map<String, Function> found) {
    var missing = new ArrayList<String>();
    var broken = new ArrayList<String>();
    for (var name : FUNCTIONS) {
      var function = found.get("mayfly-" + name);
      if (function == null) missing.add(name);
      else if (!function.state().orElse("").equals("ACTIVE"))
        broken.add(name + " is " + function.state().orElse("in no state"));
    }
    if (!missing.isEmpty())
      return Check.wrong("functions", "missing: " + String.join(", ", missing), APPLY);
    if (!broken.isEmpty())
      return Check.wrong(
          "functions",
          String.join(", ", broken),
          "gcloud functions describe mayfly-%s --region=%s --project=%s"
              .formatted(broken.getFirst().split(" ", -1)[0], region, project));
    return Check.ok("functions", FUNCTIONS.size() + " are active in " + region);
  }

  private Check databaseFound() {
    var answer = apis.get("firestore", "/v1/projects/" + project + "/databases/" + database);
    if (!answer.ok())
      return Check.wrong("database", database + " is not there (" + answer.why() + ")", APPLY);
    var it = answer.as(Database.class);
    if (!it.type().orElse("").equals("FIRESTORE_NATIVE"))
      return Check.wrong(
          "database",
          database + " is " + it.type().orElse("of no type") + ", and has to be FIRESTORE_NATIVE",
          "gcloud firestore databases describe --database=" + database + " --project=" + project);
    if (!it.deleteProtectionState().orElse("").endsWith("ENABLED"))
      return Check.note(
          "database",
          database + " can be deleted by mistake",
          "gcloud firestore databases update --database=%s --delete-protection --project=%s"
              .formatted(database, project));
    return Check.ok("database", database + ", native, protected");
  }

  private Check schedule(String region, String name, boolean pauses) {
    var path = "/v1/projects/%s/locations/%s/jobs/%s".formatted(project, region, name);
    var answer = apis.get("cloudscheduler", path);
    if (!answer.ok())
      return Check.wrong("ticks", name + " is not there (" + answer.why() + ")", APPLY);
    var state = answer.as(Schedule.class).state().orElse("");
    if (state.equals("ENABLED")) return Check.ok("ticks", name + " is on");
    if (state.equals("PAUSED") && pauses)
      return Check.ok("ticks", name + " is paused: there is nothing to look after");
    return Check.wrong(
        "ticks",
        name + " is " + state,
        "gcloud scheduler jobs resume %s --location=%s --project=%s"
            .formatted(name, region, project));
  }
}
