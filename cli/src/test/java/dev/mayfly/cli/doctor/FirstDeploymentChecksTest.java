package dev.mayfly.cli.doctor;

import static dev.mayfly.cli.doctor.FakeGoogleApis.find;
import static dev.mayfly.cli.doctor.FakeGoogleApis.projects;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.doctor.CheckResult.Verdict;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What doctor says before there is a deployment, and when there is none any more. */
class FirstDeploymentChecksTest {
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
  void missingServiceAgentIsReportedWithItsCommands() {
    google.agents("");

    var checkResult = find(google.checks(), "agents");

    assertThat(checkResult.verdict()).isEqualTo(Verdict.WRONG);
    assertThat(checkResult.remedy().orElseThrow())
        .isEqualTo(
            "gcloud services enable eventarc.googleapis.com --project=lab-batch"
                + " && gcloud beta services identity create --service=eventarc.googleapis.com --project=lab-batch"
                + " && gcloud projects add-iam-policy-binding lab-batch --condition=None"
                + " --role=roles/eventarc.serviceAgent"
                + " --member=serviceAccount:service-123@gcp-sa-eventarc.iam.gserviceaccount.com");
  }

  @Test
  void serviceAgentWithoutItsRoleIsReported() {
    google.agents("roles/viewer");

    assertThat(find(google.checks(), "agents").text()).contains("lacks its role");
  }

  @Test
  void missingBucketIsTerraformsBeforeTheFirstApply() {
    google.answers.remove("/storage/storage/v1/b/lab");
    assertThat(find(google.checks(), "bucket").verdict()).isEqualTo(Verdict.WRONG);

    google.answers.put(projects("/cloudfunctions/v2", "/locations/-/functions"), "{}");

    assertThat(find(google.checks(), "bucket"))
        .matches(c -> c.verdict() == Verdict.NOTE)
        .matches(c -> c.text().contains("terraform apply makes it"))
        .matches(c -> !c.remedy().orElseThrow().contains("buckets create"));
  }

  @Test
  void regionWithoutCloudSchedulerIsReportedFirst() {
    google.answers.put(projects("/cloudfunctions/v2", "/locations/-/functions"), "{}");
    assertThat(google.checks()).noneMatch(c -> c.about().equals("ticks"));

    google.answers.put(
        projects("/cloudscheduler/v1", "/locations"),
        "{\"locations\": [{\"locationId\": \"us-east1\"}]}");

    assertThat(find(google.checks(), "ticks"))
        .matches(c -> c.verdict() == Verdict.WRONG)
        .matches(c -> c.text().startsWith("Cloud Scheduler is not in us-central1"));
  }

  /** Nothing ends them: a TPU is billed until it is deleted. */
  @Test
  void machinesThatOutliveADeploymentAreReported() {
    google.answers.put(
        projects("/tpu/v2", "/locations/-/nodes"),
        """
        {"nodes": [
          {"name": "projects/lab-batch/locations/us-east5-b/nodes/lab-t-1", "labels": {"mayfly-cluster": "c1"}},
          {"name": "projects/lab-batch/locations/us-east5-b/nodes/other"}]}
        """);
    google.answers.put(
        projects("/compute/compute/v1", "/aggregated/instances"),
        """
        {"items": {"zones/us-central1-a": {"instances": [{"name": "lab-1", "zone": "https://x/zones/us-central1-a"}]},
          "zones/us-central1-b": {}}}
        """);
    assertThat(google.checks()).noneMatch(c -> c.about().equals("machines"));

    google.answers.put(projects("/cloudfunctions/v2", "/locations/-/functions"), "{}");

    var checkResult = find(google.checks(), "machines");
    assertThat(checkResult.verdict()).isEqualTo(Verdict.WRONG);
    assertThat(checkResult.text())
        .endsWith(
            "no control plane will delete them: lab-t-1 in us-east5-b, lab-1 in us-central1-a");
    assertThat(checkResult.remedy().orElseThrow())
        .contains("gcloud compute tpus tpu-vm delete lab-t-1 --zone=us-east5-b")
        .contains("gcloud compute instances delete lab-1 --zone=us-central1-a");
  }

  @Test
  void loginWithoutQuotaProjectIsChargedToTheProject() {
    google.checks();
    assertThat(google.charged.values()).allMatch(String::isEmpty);

    google.wantsQuotaProject = true;

    assertThat(google.checks()).allMatch(c -> c.verdict() == Verdict.OK);
    assertThat(google.charged.values()).allMatch("lab-batch"::equals);
  }

  @Test
  void loginThatMayNotBeChargedIsDenied() {
    google.wantsQuotaProject = true;
    google.denyQuotaProject(projects("/cloudresourcemanager/v1", ""));

    assertThat(google.checks())
        .singleElement()
        .matches(c -> c.verdict() == Verdict.DENIED)
        .matches(c -> c.text().contains("your login has no quota project"))
        .matches(c -> c.remedy().orElseThrow().contains("roles/serviceusage.serviceUsageConsumer"));
  }
}
