package dev.mayfly.local.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.local.access.OwnerToken;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a machine and its tasks may do on the laptop is what Terraform grants them in a project: a
 * task that works here works there. Rights to single objects are in {@code ObjectRightsTest}.
 */
class LaptopRightsTest {
  /** Of Google's own roles that workers have; Mayfly's are in the file. */
  private static final Map<String, List<String>> GOOGLES =
      Map.of(
          "roles/secretmanager.secretAccessor", List.of("secretmanager.versions.access"),
          "roles/pubsub.publisher", List.of("pubsub.topics.publish"),
          "roles/storage.objectViewer", List.of("storage.objects.get", "storage.objects.list"),
          "roles/storage.objectCreator", List.of("storage.objects.create"),
          "roles/iam.serviceAccountTokenCreator", List.of("iam.serviceAccounts.getAccessToken"),
          "roles/run.invoker", List.of("run.routes.invoke"),
          "roles/artifactregistry.reader",
              List.of("artifactregistry.repositories.downloadArtifacts"));

  /** A call, and the permission that Google Cloud asks for. */
  private record Probe(String permission, String method, String path, String body) {}

  private static final String PROJECT = "/v1/projects/lab";

  private static final List<Probe> PROBES =
      List.of(
          new Probe(
              "secretmanager.versions.access", "GET", PROJECT + "/secrets/s/versions/1:access", ""),
          new Probe(
              "secretmanager.secrets.create", "POST", PROJECT + "/secrets?secretId=stolen", "{}"),
          new Probe(
              "secretmanager.versions.add",
              "POST",
              PROJECT + "/secrets/s:addVersion",
              "{\"payload\":{\"data\":\"aGk=\"}}"),
          new Probe(
              "pubsub.topics.publish",
              "POST",
              PROJECT + "/topics/mayfly-jobs:publish",
              "{\"messages\":[{\"data\":\"aGk=\"}]}"),
          new Probe("pubsub.topics.create", "PUT", PROJECT + "/topics/mine", "{}"),
          new Probe(
              "compute.instances.list", "GET", "/compute/v1/projects/lab/aggregated/instances", ""),
          new Probe(
              "compute.instances.create",
              "POST",
              "/compute/v1/projects/lab/zones/us-central1-a/instances",
              "{}"),
          new Probe(
              "compute.disks.delete",
              "DELETE",
              "/compute/v1/projects/lab/zones/us-central1-a/disks/d",
              ""),
          new Probe(
              "iam.serviceAccounts.getAccessToken",
              "POST",
              PROJECT.replace("lab", "-")
                  + "/serviceAccounts/mayfly-task-submitter@lab.iam.gserviceaccount.com:generateAccessToken",
              "{}"),
          new Probe("storage.objects.list", "GET", "/storage/v1/b/lab/o", ""));

  @TempDir Path home;
  private final HttpClient client = HttpClient.newHttpClient();
  private SimulatedCloud cloud;
  private OwnerToken owner;

  @BeforeEach
  void start() throws Exception {
    cloud =
        CloudMain.start(
            CloudSettings.from(
                Map.of("MAYFLY_HOME", home.toString(), "MAYFLY_CLOUD_PROJECT", "lab")));
    owner = OwnerToken.read(home);
    assertThat(call(owner.text(), PROBES.get(1).method(), PROJECT + "/secrets?secretId=s", "{}"))
        .isEqualTo(200);
    assertThat(call(owner.text(), PROBES.get(2))).isEqualTo(200);
    Files.createDirectories(home.resolve("cloud/buckets/lab"));
  }

  @AfterEach
  void stop() {
    cloud.close();
  }

  private int call(String token, Probe probe) throws Exception {
    return call(token, probe.method(), probe.path(), probe.body());
  }

  private int call(String token, String method, String path, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(cloud.url() + path))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }

  /** The permissions of an account, by Terraform. */
  private static Set<String> granted(String account) throws IOException {
    var access =
        JsonMapper.shared()
            .readTree(Files.readAllBytes(Path.of("..", "terraform/modules/iam/access.json")));
    var roles = new HashMap<>(GOOGLES);
    for (var own : access.path("roles").properties())
      roles.put(
          own.getKey(),
          own.getValue().path("permissions").valueStream().map(it -> it.asString()).toList());
    var permissions = new HashSet<String>();
    for (var grant : access.path("grants"))
      if (grant.path("who").asString("").equals(account)) {
        var role = grant.path("role").asString();
        assertThat(roles).as("this test knows what is in the role").containsKey(role);
        permissions.addAll(roles.getOrDefault(role, List.of()));
      }
    assertThat(permissions).isNotEmpty();
    return permissions;
  }

  private void assertRights(String token, Set<String> granted) throws Exception {
    for (var probe : PROBES) {
      var status = call(token, probe);
      if (granted.contains(probe.permission()))
        assertThat(status).as(probe.permission()).isBetween(200, 299);
      else assertThat(status).as(probe.permission()).isEqualTo(403);
    }
  }

  @Test
  void machineMayDoWhatTheWorkersAccountMay() throws Exception {
    assertRights(owner.machineToken("7"), granted("agent"));
  }

  @Test
  void submittingTaskMayDoWhatItsAccountMay() throws Exception {
    assertRights(owner.taskToken("7"), granted("task-submitter"));
  }

  @Test
  void ownerMayDoAll() throws Exception {
    for (var probe : PROBES) assertThat(call(owner.text(), probe)).isNotIn(401, 403);
  }
}
