package dev.mayfly.cli.doctor;

import dev.mayfly.cli.client.GoogleApis;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Checks which APIs are enabled and which permissions the user has. */
record AccessCheck(GoogleApis apis, String project) {
  /** The same as in {@code terraform/apis.json}. */
  static final List<String> APIS =
      List.of(
          "artifactregistry.googleapis.com",
          "cloudbuild.googleapis.com",
          "cloudfunctions.googleapis.com",
          "cloudresourcemanager.googleapis.com",
          "cloudscheduler.googleapis.com",
          "compute.googleapis.com",
          "eventarc.googleapis.com",
          "firebaserules.googleapis.com",
          "firestore.googleapis.com",
          "iam.googleapis.com",
          "iamcredentials.googleapis.com",
          "iap.googleapis.com",
          "logging.googleapis.com",
          "monitoring.googleapis.com",
          "pubsub.googleapis.com",
          "run.googleapis.com",
          "secretmanager.googleapis.com",
          "serviceusage.googleapis.com",
          "storage.googleapis.com",
          "tpu.googleapis.com");

  /** For each role of {@code terraform/deployer.json}, a permission that only that role grants. */
  static final Map<String, String> DEPLOYER = deployer();

  private record Services(Optional<List<Service>> services, Optional<String> nextPageToken) {
    record Service(Optional<Config> config) {}

    record Config(Optional<String> name) {}
  }

  private record Ask(List<String> permissions) {}

  private record Held(Optional<List<String>> permissions) {}

  private static Map<String, String> deployer() {
    var roles = new LinkedHashMap<String, String>();
    roles.put("artifactregistry.repositories.create", "roles/artifactregistry.admin");
    roles.put("cloudfunctions.functions.create", "roles/cloudfunctions.admin");
    roles.put("cloudscheduler.jobs.create", "roles/cloudscheduler.admin");
    roles.put("compute.networks.create", "roles/compute.networkAdmin");
    roles.put("compute.firewalls.create", "roles/compute.securityAdmin");
    roles.put("datastore.databases.create", "roles/datastore.owner");
    roles.put("firebaserules.rulesets.create", "roles/firebaserules.admin");
    roles.put("iam.roles.create", "roles/iam.roleAdmin");
    roles.put("iam.serviceAccounts.create", "roles/iam.serviceAccountAdmin");
    roles.put("iam.serviceAccounts.actAs", "roles/iam.serviceAccountUser");
    roles.put("logging.sinks.create", "roles/logging.configWriter");
    roles.put("monitoring.alertPolicies.create", "roles/monitoring.editor");
    roles.put("pubsub.topics.create", "roles/pubsub.admin");
    roles.put("resourcemanager.projects.setIamPolicy", "roles/resourcemanager.projectIamAdmin");
    roles.put("run.services.setIamPolicy", "roles/run.admin");
    roles.put("secretmanager.secrets.setIamPolicy", "roles/secretmanager.admin");
    roles.put("serviceusage.services.enable", "roles/serviceusage.serviceUsageAdmin");
    roles.put("storage.buckets.create", "roles/storage.admin");
    return roles;
  }

  List<CheckResult> checks() {
    return List.of(enabled(), held());
  }

  private CheckResult enabled() {
    var missing = new TreeSet<>(APIS);
    var page = "";
    do {
      var path = "/v1/projects/" + project + "/services?filter=state:ENABLED&pageSize=200" + page;
      var apiReply = apis.get("serviceusage", path);
      if (apiReply.apiDisabled())
        return CheckResult.wrong(
            "apis",
            "enabled APIs cannot be listed while serviceusage.googleapis.com is off",
            CheckResult.enableCommand("serviceusage", project));
      if (!apiReply.ok())
        return CheckResult.denied(
            "apis",
            "enabled APIs cannot be listed (" + apiReply.why() + ")",
            CheckResult.grantCommand("roles/serviceusage.serviceUsageViewer", project));
      var some = apiReply.as(Services.class);
      for (var service : some.services().orElse(List.of()))
        service.config().flatMap(Services.Config::name).ifPresent(missing::remove);
      page = some.nextPageToken().filter(t -> !t.isEmpty()).map(t -> "&pageToken=" + t).orElse("");
    } while (!page.isEmpty());
    if (missing.isEmpty()) return CheckResult.ok("apis", "all " + APIS.size() + " are on");
    return CheckResult.wrong(
        "apis",
        missing.size() + " of " + APIS.size() + " are off (terraform apply turns them on too)",
        "gcloud services enable " + String.join(" ", missing) + " --project=" + project);
  }

  private CheckResult held() {
    var apiReply =
        apis.post(
            "cloudresourcemanager",
            "/v1/projects/" + project + ":testIamPermissions",
            new Ask(List.copyOf(DEPLOYER.keySet())));
    if (!apiReply.ok())
      return CheckResult.denied(
          "rights",
          "your permissions cannot be tested (" + apiReply.why() + ")",
          CheckResult.grantCommand("roles/browser", project));
    var held = new HashSet<>(apiReply.as(Held.class).permissions().orElse(List.of()));
    var lacking = new ArrayList<String>();
    DEPLOYER.forEach((permission, role) -> {
      if (!held.contains(permission)) lacking.add(role);
    });
    if (lacking.isEmpty()) return CheckResult.ok("rights", "you may deploy");
    return CheckResult.denied(
        "rights",
        "for deploying you lack "
            + String.join(", ", lacking)
            + "; submitting jobs needs none of them",
        "for role in "
            + String.join(" ", lacking)
            + "; do gcloud projects add-iam-policy-binding "
            + project
            + " --member=user:YOU --condition=None --role=$role; done");
  }
}
