package dev.mayfly.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.client.GcpProject;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.core.model.message.UserCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands against a project instead of the laptop cloud. */
class ProjectCommandsTest {
  @TempDir Path home;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Map<String, String> env = new HashMap<>();
  private FakeControlPlane control;

  private static final GcpProject.TokenSource ADA =
      new GcpProject.TokenSource() {
        @Override
        public String accessToken() {
          return "access";
        }

        @Override
        public String identityToken() {
          return "identity";
        }
      };

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.clusters.put("lab", ViewFixtures.cluster());
    env.put("MAYFLY_HOME", home.toString());
    env.put("MAYFLY_PROJECT", "lab-batch");
    env.put("MAYFLY_API_URL", control.url() + "/api");
    env.put("PUBSUB_EMULATOR_HOST", control.url().substring("http://".length()));
  }

  @AfterEach
  void stop() {
    control.close();
  }

  @Test
  void endpointsFollowFromProjectAndRegion() {
    var deploymentEndpoints =
        GcpProject.of(Map.of("MAYFLY_PROJECT", "lab-batch", "MAYFLY_REGION", "europe-west4"))
            .orElseThrow()
            .endpoints();

    assertThat(deploymentEndpoints.api())
        .isEqualTo("https://europe-west4-lab-batch.cloudfunctions.net/mayfly-api");
    assertThat(deploymentEndpoints.pubsub()).isEqualTo("https://pubsub.googleapis.com");
    assertThat(deploymentEndpoints.storage()).isEmpty();
  }

  @Test
  void tokensAreSentOnlyToTheirServices() {
    var bearer = GcpProject.of(Map.of("MAYFLY_PROJECT", "lab-batch")).orElseThrow().bearer(ADA);

    assertThat(bearer.apply("https://pubsub.googleapis.com/v1/projects/lab-batch/topics/t"))
        .contains("access");
    assertThat(bearer.apply("https://us-central1-lab-batch.cloudfunctions.net/mayfly-api/v1/x"))
        .contains("identity");
    assertThat(bearer.apply("https://us-central1-lab-batch.cloudfunctions.net.evil.org/v1/x"))
        .isEmpty();
    assertThat(bearer.apply("https://pubsub.googleapis.com.evil.org/v1")).isEmpty();
    assertThat(bearer.apply("http://127.0.0.1:8080/v1/clusters")).isEmpty();
  }

  @Test
  void clusterIsPublishedWithoutBucketCall() throws IOException {
    var file = Files.writeString(home.resolve("cluster.yaml"), ViewFixtures.CLUSTER).toString();

    assertThat(mayfly("up", file)).isZero();

    assertThat(control.calls)
        .contains("POST /v1/projects/lab-batch/topics/mayfly-clusters:publish")
        .noneMatch(call -> call.contains("/storage/v1/b"));
  }

  @Test
  void jobIsPublishedAndStateReadByHttp() throws IOException {
    var file = Files.writeString(home.resolve("job.yaml"), ViewFixtures.JOB).toString();

    assertThat(mayfly("submit", file)).isZero();

    assertThat(control.published).singleElement().isInstanceOf(UserCommand.SubmitJob.class);
    assertThat(control.calls)
        .contains("POST /v1/projects/lab-batch/topics/mayfly-jobs:publish")
        .anyMatch(call -> call.startsWith("GET /api/v1/clusters/lab/jobs/"));
  }

  @Test
  void ownTopicIsUsedWhereOthersAreDenied() throws IOException {
    var file = Files.writeString(home.resolve("job.yaml"), ViewFixtures.JOB).toString();
    env.put("MAYFLY_OWNER", "ann");
    control.deniedTopics.put("mayfly-jobs", 403);

    assertThat(mayfly("submit", file)).isZero();

    assertThat(control.calls)
        .containsSubsequence(
            "POST /v1/projects/lab-batch/topics/mayfly-jobs:publish",
            "POST /v1/projects/lab-batch/topics/mayfly-jobs-ann:publish");
  }

  @Test
  void withoutTopicsOneIsToldWhatToAskFor() throws IOException {
    var file = Files.writeString(home.resolve("job.yaml"), ViewFixtures.JOB).toString();
    control.deniedTopics.putAll(
        Map.of("mayfly-jobs", 403, "mayfly-jobs-ann", 404, "mayfly-jobs-bob", 403));

    for (var owner : List.of("ann", "bob", "Ann@lab.org")) {
      env.put("MAYFLY_OWNER", owner);
      err.reset();
      assertThat(mayfly("submit", file)).as(owner).isEqualTo(CommandExitCode.DENIED.code());
      assertThat(err.toString(UTF_8))
          .contains("publishing to mayfly-jobs of project lab-batch is denied")
          .contains("MAYFLY_OWNER or your user name is " + owner)
          .contains("people.personal");
    }
    assertThat(control.published).isEmpty();
  }

  @Test
  void faultControlsAreRefusedForProject() {
    assertThat(mayfly("local", "preempt", "lab-cpu-a")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("MAYFLY_PROJECT is set");
  }

  @Test
  void gpusArePretendedOnLaptopCloudsAlone() {
    assertThat(
            mayfly(
                "worker",
                "join",
                "--pool",
                "lab",
                "--name",
                "desk-1",
                "--account",
                "desk@lab.iam.gserviceaccount.com",
                "--pretend-gpus",
                "1"))
        .isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("--pretend-gpus is for the laptop cloud alone");
    assertThat(control.published).isEmpty();
  }

  @Test
  void invalidProjectIsRefusedBeforeAnyCall() {
    env.put("MAYFLY_PROJECT", "Lab Batch");

    assertThat(mayfly("status")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("gcloud projects list");
    assertThat(control.calls).isEmpty();
  }

  private int mayfly(String... args) {
    var screen = TestScreen.plain(out, err);
    var now = new Instant[] {ViewFixtures.NOW};
    var conditionPoller = new ConditionPoller(() -> now[0], span -> now[0] = now[0].plus(span));
    return Main.run(new CliContext(env, screen, conditionPoller, () -> "id"), args);
  }
}
