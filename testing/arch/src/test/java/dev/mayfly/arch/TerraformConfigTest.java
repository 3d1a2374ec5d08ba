package dev.mayfly.arch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.reconcile.cleanup.OrphanCollector;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Terraform's configuration matches the code, and grants no unintended rights. */
class TerraformConfigTest {
  private static final Pattern TOPIC =
      Pattern.compile("\"(mayfly-(?:jobs|clusters|ticks|vm-events|notifications))\"");

  private static final Pattern RESOURCE = Pattern.compile("(?m)^resource \"(\\w+)\"");
  private static final Pattern LEAST = Pattern.compile("min_instance_count += (\\w+)");

  /** Resources that run, and cost, while idle. */
  private static final Pattern MACHINE =
      Pattern.compile("compute_(region_)?instance|container_cluster|_sql_|_redis_|_tpu_");

  @Test
  void functionsHaveDesignedResources() throws IOException {
    var pinned = new LinkedHashMap<String, String>();
    TerraformConfig.json("modules/control-plane/functions.json")
        .properties()
        .forEach(it ->
            pinned.put(
                it.getKey(),
                "%d cpu, %d MiB, %d at a time, %d instances, %d s"
                    .formatted(
                        number(it, "cpu"),
                        number(it, "memory_mib"),
                        number(it, "concurrency"),
                        number(it, "instances"),
                        number(it, "timeout_seconds"))));

    assertThat(pinned)
        .isEqualTo(
            Map.of(
                "jobs", "1 cpu, 1024 MiB, 8 at a time, 10 instances, 540 s",
                "clusters", "1 cpu, 1024 MiB, 4 at a time, 2 instances, 120 s",
                "autoscale", "1 cpu, 1024 MiB, 4 at a time, 3 instances, 300 s",
                "cleanup", "1 cpu, 1024 MiB, 8 at a time, 1 instances, 300 s",
                "vm-events", "1 cpu, 512 MiB, 16 at a time, 3 instances, 60 s",
                "notifications", "1 cpu, 512 MiB, 16 at a time, 3 instances, 60 s",
                "workers", "1 cpu, 1024 MiB, 1000 at a time, 20 instances, 90 s",
                "api", "1 cpu, 1024 MiB, 200 at a time, 5 instances, 60 s"));
  }

  private static int number(Map.Entry<String, JsonNode> function, String field) {
    return function.getValue().get(field).asInt();
  }

  @Test
  void theTopicsAreThoseOfTheLaptopCloud() throws IOException {
    var surface =
        TerraformConfig.ROOT.resolve("local/src/main/java/dev/mayfly/local/pubsub/PubSubApi.java");

    assertThat(topics(TerraformConfig.text("modules/control-plane/main.tf")))
        .containsAll(topics(Files.readString(surface)))
        .hasSize(5);
  }

  private static Set<String> topics(String text) {
    var topics = new TreeSet<String>();
    var found = TOPIC.matcher(text);
    while (found.find()) topics.add(found.group(1));
    return topics;
  }

  @Test
  void ticksAreTriggersThatFunctionsParse() throws IOException {
    var kinds = new ArrayList<Trigger>();
    var found =
        Pattern.compile("kind += \"([\\w-]+)\"")
            .matcher(TerraformConfig.text("modules/control-plane/main.tf"));
    while (found.find())
      kinds.add(
          Wire.shared()
              .trigger(
                  "{\"kind\":\"%s\"}".formatted(found.group(1)).getBytes(StandardCharsets.UTF_8)));

    assertThat(kinds).containsExactly(new Trigger.Tick(), new Trigger.CollectOrphans());
    assertThat(
            TerraformConfig.text("modules/control-plane/main.tf")
                .split("mayfly-trigger = \"1\"", -1))
        .hasSize(3);
  }

  @Test
  void agentHasExactlyItsRights() throws IOException {
    assertThat(grantsOf("agent"))
        .containsExactlyInAnyOrder(
            "roles/run.invoker on function:workers",
            "roles/storage.objectViewer on buckets",
            "roles/storage.objectCreator on buckets if creatable",
            "mayflyReplacer on buckets if outputs",
            "roles/storage.objectViewer on artifacts",
            "mayflyVolumes on project",
            "roles/artifactregistry.reader on repository",
            "roles/secretmanager.secretAccessor on secrets",
            "roles/iam.serviceAccountTokenCreator on account:task-submitter when submitters");
  }

  /** Without the deployment's word, neither the account nor a way to it exists. */
  @Test
  void taskSubmitterExistsOnlyWhenAsked() throws IOException {
    assertThat(grantsOf("task-submitter"))
        .containsExactlyInAnyOrder(
            "roles/pubsub.publisher on topic:mayfly-jobs when submitters",
            "roles/run.invoker on function:api when submitters",
            "roles/storage.objectViewer on buckets when submitters",
            "roles/storage.objectCreator on buckets if code when submitters");
    for (var grant : TerraformConfig.json("modules/iam/access.json").get("grants"))
      if (grant.get("role").asString().equals("roles/iam.serviceAccountTokenCreator"))
        assertThat(grant.get("on").asString()).isEqualTo("account:task-submitter");
    assertThat(TerraformConfig.items("variables.tf").get("submitters").usual()).isEqualTo("false");
    assertThat(TerraformConfig.text("modules/iam/main.tf"))
        .contains("id != \"task-submitter\" || var.switches[\"submitters\"]")
        .contains("if !can(grant.when) || try(var.switches[grant.when], false)");
  }

  @Test
  void viewersOnlyRead() throws IOException {
    assertThat(grantsOf("viewers"))
        .containsExactlyInAnyOrder(
            "roles/run.invoker on function:api",
            "roles/storage.objectViewer on buckets when viewers_read_objects");
    assertThat(TerraformConfig.items("variables.tf").get("viewers_read_objects").usual())
        .isEqualTo("false");
  }

  /** It calls addresses that admins choose. */
  @Test
  void webhookCallerHasItsSecretsAndTheLedger() throws IOException {
    assertThat(grantsOf("notifications"))
        .containsExactlyInAnyOrder(
            "roles/datastore.user on database if database",
            "roles/secretmanager.secretAccessor on webhook-secrets");
  }

  @Test
  void submittersMayPublishAndRead() throws IOException {
    assertThat(grantsOf("submitters"))
        .containsExactlyInAnyOrder(
            "roles/pubsub.publisher on topic:mayfly-jobs",
            "roles/run.invoker on function:api",
            "roles/storage.objectViewer on buckets",
            "roles/storage.objectCreator on buckets if inputs");
  }

  /** Beside their topics, which Terraform's own tests see: what submitters have, without theirs. */
  @Test
  void personsPublishToOwnTopicsOnly() throws IOException {
    var ofSubmitters = new ArrayList<>(grantsOf("submitters"));
    ofSubmitters.remove("roles/pubsub.publisher on topic:mayfly-jobs");
    assertThat(grantsOf("personal")).containsExactlyInAnyOrderElementsOf(ofSubmitters);
    assertThat(TerraformConfig.text("tests/plan.tftest.hcl"))
        .contains("run \"a_person_publishes_to_topics_of_their_own\"");
  }

  @Test
  void onlyDevelopersMayLogIn() throws IOException {
    assertThat(grantsOf("developers"))
        .containsExactlyInAnyOrder(
            "roles/iap.tunnelResourceAccessor on project if ssh",
            "roles/compute.osAdminLogin on project",
            "roles/iam.serviceAccountUser on account:agent",
            "mayflyTpuLogin on project",
            "roles/run.invoker on function:api");
    for (var grant : TerraformConfig.json("modules/iam/access.json").get("grants"))
      if (!grant.get("who").asString().equals("developers"))
        assertThat(grant.get("role").asString()).doesNotContainIgnoringCase("login", "tunnel");
  }

  @Test
  void projectGrantsAreOwnRolesOrConditional() throws IOException {
    for (var grant : TerraformConfig.json("modules/iam/access.json").get("grants")) {
      var role = grant.get("role").asString();
      if (!grant.get("on").asString().equals("project") || grant.has("condition")) continue;
      assertThat(role)
          .isIn(
              "mayflyTicks",
              "mayflyTicksOn",
              "mayflyPlacementCleanup",
              "mayflyPlacements",
              "mayflyFleetViewer",
              "mayflyMachineParts",
              "mayflyTpus",
              "mayflyTpuCleanup",
              "mayflyTpuLogin",
              "mayflyVolumes",
              "roles/compute.osAdminLogin",
              "roles/logging.logWriter");
    }
  }

  @Test
  void cleanupOnlyDeletesAndNoAccountSetsPolicies() throws IOException {
    var roles = TerraformConfig.json("modules/iam/access.json").get("roles");

    assertThat(permissions(roles.get("mayflyCleanup")) + permissions(roles.get("mayflyTpuCleanup")))
        .contains("delete")
        .doesNotContain("create");
    assertThat(roles.toString()).doesNotContain("setIamPolicy").doesNotContain("*");
    assertThat(grantsOf("cleanup")).noneMatch(it -> it.startsWith("mayflyMachines"));
    assertThat(grantsOf("workers")).noneMatch(it -> it.contains("Machines") || it.contains("Tpu"));
  }

  @Test
  void noMachineRunsForControlPlane() throws IOException {
    var kinds = new TreeSet<String>();
    var least = new TreeSet<String>();
    try (var files = Files.walk(TerraformConfig.ROOT.resolve("terraform/modules"))) {
      for (var file : files.filter(f -> f.toString().endsWith(".tf")).toList()) {
        var text = Files.readString(file);
        RESOURCE.matcher(text).results().forEach(r -> kinds.add(r.group(1)));
        LEAST.matcher(text).results().forEach(r -> least.add(r.group(1)));
      }
    }

    assertThat(kinds)
        .contains("google_cloudfunctions2_function")
        .noneMatch(kind -> MACHINE.matcher(kind).find());
    assertThat(least).containsExactly("0");
  }

  /** A key file can be copied, and its text would be in Terraform's state. */
  @Test
  void noKeysOfServiceAccountsAreMade() throws IOException {
    try (var files = Files.walk(TerraformConfig.ROOT.resolve("terraform"))) {
      for (var file : files.filter(f -> f.toString().endsWith(".tf")).toList())
        assertThat(Files.readString(file))
            .as("%s", file)
            .doesNotContain("google_service_account_key", "google_storage_hmac_key");
    }
  }

  @Test
  void machineRightsIncludePlacementPolicies() throws IOException {
    assertThat(grantsOf("autoscale")).contains("mayflyMachines on project if machines");
    assertThat(grantsOf("autoscale")).contains("mayflyPlacements on project");
    assertThat(grantsOf("cleanup")).doesNotContain("mayflyPlacements on project");
  }

  /**
   * Ticks of both kinds may arrive concurrently, but a cleanup pass's memory is for one pass at a
   * time.
   */
  @Test
  void cleanupRunsOneAtATime() throws Exception {
    var cleanup = TerraformConfig.json("modules/control-plane/functions.json").get("cleanup");

    assertThat(cleanup.get("concurrency").asInt()).isGreaterThan(1);
    assertThat(cleanup.get("instances").asInt()).isEqualTo(1);
    assertThat(Modifier.isSynchronized(OrphanCollector.class.getMethod("collect").getModifiers()))
        .isTrue();
  }

  @Test
  void aWatchEndsBeforeItsFunctionDoes() throws IOException {
    var workers = TerraformConfig.json("modules/control-plane/functions.json").get("workers");

    assertThat(workers.get("timeout_seconds").asInt()).isGreaterThanOrEqualTo(58 + 30);
  }

  @Test
  void waitingReadEndsBeforeItsFunction() throws IOException {
    var api = TerraformConfig.json("modules/control-plane/functions.json").get("api");

    assertThat(api.get("timeout_seconds").asInt()).isGreaterThanOrEqualTo(25 + 30);
  }

  @Test
  void viewersMayUseNothing() throws IOException {
    var roles = TerraformConfig.json("modules/iam/access.json").get("roles");

    assertThat(permissions(roles.get("mayflyFleetViewer"))).doesNotContain(".use");
    for (var who : List.of("api", "vm-events", "cleanup"))
      assertThat(grantsOf(who)).noneMatch(it -> it.startsWith("mayflyMachineParts"));
    assertThat(grantsOf("autoscale")).contains("mayflyMachineParts on project");
  }

  private static String permissions(JsonNode role) {
    return role.get("permissions").toString();
  }

  private static List<String> grantsOf(String who) throws IOException {
    var grants = new ArrayList<String>();
    for (var grant : TerraformConfig.json("modules/iam/access.json").get("grants")) {
      if (!grant.get("who").asString().equals(who)) continue;
      var only = grant.has("condition") ? " if " + grant.get("condition").asString() : "";
      if (grant.has("when")) only += " when " + grant.get("when").asString();
      grants.add(grant.get("role").asString() + " on " + grant.get("on").asString() + only);
    }
    return grants;
  }
}
