package dev.mayfly.cli.doctor;

import static dev.mayfly.cli.doctor.FakeGoogleApis.projects;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.doctor.CheckResult.Verdict;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.core.error.UnavailableException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The checks of a project against Google's REST formats on loopback. */
class ProjectChecksTest {
  private FakeGoogleApis google;

  @BeforeEach
  void start() throws IOException {
    google = new FakeGoogleApis();
  }

  @AfterEach
  void stop() {
    google.close();
  }

  @Test
  void healthyProjectHasNoFindings() {
    var checkResults = checks();

    assertThat(checkResults).allMatch(c -> c.verdict() == Verdict.OK).hasSize(13);
    assertThat(find(checkResults, "quota us-central1").text())
        .isEqualTo("CPUS 24 of 500, SSD_TOTAL_GB 350 of 500, NVIDIA_T4_GPUS 0 of 4");
    assertThat(find(checkResults, "quota project").text())
        .isEqualTo("CPUS_ALL_REGIONS 24 of 600, GPUS_ALL_REGIONS 0 of 4");
    assertThat(find(checkResults, "TPU us-central1").text()).isEqualTo("TPUv4 spot cores 128");
    assertThat(CheckResult.exitCode(checkResults)).isEqualTo(CommandExitCode.OK);
  }

  @Test
  void disabledApiIsReportedWithEnableCommand() {
    google.enabled(
        AccessCheck.APIS.stream()
            .filter(a -> !a.startsWith("tpu") && !a.startsWith("run"))
            .toList());

    var checkResult = find(checks(), "apis");

    assertThat(checkResult.verdict()).isEqualTo(Verdict.WRONG);
    assertThat(checkResult.remedy())
        .contains(
            "gcloud services enable run.googleapis.com tpu.googleapis.com --project=lab-batch");
  }

  @Test
  void missingRightExitsAsDenied() {
    google.answers.put(
        projects("/cloudresourcemanager/v1", ":testIamPermissions"),
        "{\"permissions\": [\"pubsub.topics.create\"]}");

    var checkResults = checks();

    assertThat(find(checkResults, "rights").text())
        .contains("roles/storage.admin")
        .doesNotContain("roles/pubsub.admin");
    assertThat(CheckResult.exitCode(checkResults)).isEqualTo(CommandExitCode.DENIED);
  }

  @Test
  void invisibleProjectEndsTheChecks() {
    google.statuses.put(projects("/cloudresourcemanager/v1", ""), 403);

    assertThat(checks()).singleElement().matches(c -> c.verdict() == Verdict.DENIED);
  }

  @Test
  void bucketElsewhereIsNoteAndAclBucketIsWrong() {
    google.bucket("EU", true);
    assertThat(find(checks(), "bucket").verdict()).isEqualTo(Verdict.NOTE);

    google.bucket("US-CENTRAL1", false);
    assertThat(find(checks(), "bucket").remedy().orElseThrow())
        .contains("--uniform-bucket-level-access");
  }

  @Test
  void missingDeploymentIsNote() {
    google.answers.put(projects("/cloudfunctions/v2", "/locations/-/functions"), "{}");

    var checkResults = checks();

    assertThat(find(checkResults, "functions").text()).isEqualTo("Mayfly is not deployed here yet");
    assertThat(CheckResult.exitCode(checkResults)).isEqualTo(CommandExitCode.OK);
  }

  @Test
  void disabledApiIsNoMissingRight() {
    google.enabled(List.of());
    google.off(projects("/compute/compute/v1", "/regions/us-central1"));
    google.off(projects("/cloudfunctions/v2", "/locations/-/functions"));

    var checkResults = checks();

    assertThat(find(checkResults, "quota us-central1"))
        .matches(c -> c.verdict() == Verdict.NOTE)
        .matches(c -> c.remedy().orElseThrow().contains("enable compute.googleapis.com"));
    assertThat(find(checkResults, "functions").text()).isEqualTo("Mayfly is not deployed here yet");
    assertThat(CheckResult.exitCode(checkResults)).isEqualTo(CommandExitCode.INPUT);
  }

  @Test
  void requiredApisAreEnabledFirst() {
    google.off(projects("/serviceusage/v1", "/services"));
    assertThat(find(checks(), "apis").remedy())
        .contains("gcloud services enable serviceusage.googleapis.com --project=lab-batch");

    google.off(projects("/cloudresourcemanager/v1", ""));
    assertThat(checks())
        .singleElement()
        .matches(c -> c.verdict() == Verdict.WRONG)
        .matches(c -> c.remedy().orElseThrow().contains("cloudresourcemanager.googleapis.com"));
  }

  @Test
  void missingIndexIsReported() {
    google.statuses.put(FakeGoogleApis.sums(), 400);

    var checkResult = find(checks(), "index");

    assertThat(checkResult.verdict()).isEqualTo(Verdict.WRONG);
    assertThat(checkResult.text()).contains("piece by piece", "HTTP 400");
    assertThat(checkResult.remedy())
        .contains("gcloud firestore indexes composite list --project=lab-batch --database=mayfly");
  }

  @Test
  void deniedDatabaseNamesViewerRole() {
    google.statuses.put(FakeGoogleApis.sums(), 403);

    var checkResult = find(checks(), "index");

    assertThat(checkResult.verdict()).isEqualTo(Verdict.NOTE);
    assertThat(checkResult.remedy().orElseThrow()).contains("roles/datastore.viewer");
  }

  @Test
  void doctorSendsReconcileQuery() throws IOException {
    checks();

    var asked = JsonMapper.shared().readTree(google.asked.get(FakeGoogleApis.sums()));
    var sums = asked.at("/structuredAggregationQuery/aggregations");
    assertThat(
            asked.at("/structuredAggregationQuery/structuredQuery/from/0/collectionId").asString())
        .isEqualTo("shards");
    assertThat(sums.get(4).has("count")).isTrue();
    var declared =
        JsonMapper.shared()
            .readTree(
                Files.readString(Path.of("..", "terraform/modules/control-plane/firestore.json")));
    var fields =
        declared
            .get("indexes")
            .valueStream()
            .map(index ->
                index.get("fields").valueStream().map(f -> f.get("path").asString()).toList())
            .filter(paths -> paths.getFirst().equals("totals.done"))
            .toList();
    assertThat(fields)
        .containsExactly(
            sums.valueStream().limit(4).map(s -> s.at("/sum/field/fieldPath").asString()).toList());
  }

  @Test
  void pausedCleanupTickIsWrong() {
    google.schedule("mayfly-cleanup", "PAUSED");

    assertThat(checks())
        .anyMatch(c ->
            c.verdict() == Verdict.WRONG
                && c.remedy().orElse("").startsWith("gcloud scheduler jobs resume mayfly-cleanup"));
  }

  @Test
  void unavailableApiExitsAsUnavailable() {
    google.statuses.put(projects("/serviceusage/v1", "/services"), 503);

    assertThatThrownBy(this::checks)
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("503");
  }

  @Test
  void listsMatchTerraform() throws IOException {
    var terraform = Path.of("..", "terraform");
    var apis = Files.readString(terraform.resolve("apis.json")).replaceAll("[\\[\\]\\s\"]", "");
    var deployer = Files.readString(terraform.resolve("deployer.json"));

    assertThat(AccessCheck.APIS).containsExactly(apis.split(",", -1));
    var agents = JsonMapper.shared().readTree(terraform.resolve("service-agents.json").toFile());
    assertThat(
            agents
                .propertyStream()
                .map(it ->
                    new ServiceAgentCheck.Agent(
                        it.getKey(),
                        it.getValue().get("account").asString(),
                        it.getValue().get("role").asString())))
        .containsExactlyElementsOf(ServiceAgentCheck.AGENTS);
    assertThat(deployer.lines().filter(l -> l.contains("roles/")).map(l -> l.split("\"", -1)[1]))
        .containsExactlyInAnyOrderElementsOf(AccessCheck.DEPLOYER.values());
  }

  @Test
  void linesFitTheTerminalAndCommandsStayWhole() {
    google.enabled(List.of());
    var wide = lines(200);
    var narrow = lines(80);

    assertThat(narrow.stream().filter(l -> !l.contains("run: "))).allMatch(l -> l.length() <= 80);
    assertThat(wide.stream().filter(l -> l.contains("run: ")))
        .containsExactlyElementsOf(narrow.stream().filter(l -> l.contains("run: ")).toList());
    assertThat(wide.size()).isLessThanOrEqualTo(narrow.size());
  }

  private List<String> lines(int width) {
    var nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    return new CheckLines(TestScreen.of(nowhere, nowhere, true, false, width)).lines(checks());
  }

  private List<CheckResult> checks() {
    return google.checks();
  }

  private static CheckResult find(List<CheckResult> checkResults, String about) {
    return FakeGoogleApis.find(checkResults, about);
  }
}
