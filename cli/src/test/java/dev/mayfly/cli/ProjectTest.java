package dev.mayfly.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.flow.Waiting;
import dev.mayfly.cli.reach.Project;
import dev.mayfly.cli.show.Screen;
import dev.mayfly.core.model.Command;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that go to a project instead of to the laptop cloud. */
class ProjectTest {
  @TempDir Path home;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Map<String, String> env = new HashMap<>();
  private TestControl control;

  private static final Project.Logins ADA =
      new Project.Logins() {
        @Override
        public String access() {
          return "access";
        }

        @Override
        public String identity() {
          return "identity";
        }
      };

  @BeforeEach
  void start() throws IOException {
    control = new TestControl();
    control.clusters.put("lab", Fixtures.cluster());
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
  void itsPlacesFollowFromItsNameAndRegion() {
    var site =
        Project.of(Map.of("MAYFLY_PROJECT", "lab-batch", "MAYFLY_REGION", "europe-west4"))
            .orElseThrow()
            .site();

    assertThat(site.api())
        .isEqualTo("https://europe-west4-lab-batch.cloudfunctions.net/mayfly-api");
    assertThat(site.pubsub()).isEqualTo("https://pubsub.googleapis.com");
    assertThat(site.storage()).isEmpty();
  }

  @Test
  void aTokenGoesOnlyWhereItIsMeantFor() {
    var bearer = Project.of(Map.of("MAYFLY_PROJECT", "lab-batch")).orElseThrow().bearer(ADA);

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
  void aClusterIsPublishedToItsTopicAndItsBucketIsLeftToTerraform() throws IOException {
    var file = Files.writeString(home.resolve("cluster.yaml"), Fixtures.CLUSTER).toString();

    assertThat(mayfly("up", file)).isZero();

    assertThat(control.calls)
        .contains("POST /v1/projects/lab-batch/topics/mayfly-clusters:publish")
        .noneMatch(call -> call.contains("/storage/v1/b"));
  }

  @Test
  void aJobIsPublishedAndItsStateIsReadFromTheFunction() throws IOException {
    var file = Files.writeString(home.resolve("job.yaml"), Fixtures.JOB).toString();

    assertThat(mayfly("submit", file)).isZero();

    assertThat(control.published).singleElement().isInstanceOf(Command.SubmitJob.class);
    assertThat(control.calls)
        .contains("POST /v1/projects/lab-batch/topics/mayfly-jobs:publish")
        .anyMatch(call -> call.startsWith("GET /api/v1/clusters/lab/jobs/"));
  }

  @Test
  void theDialsOfALaptopCloudAreRefused() {
    assertThat(mayfly("local", "preempt", "lab-cpu-a")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("MAYFLY_PROJECT is set");
  }

  @Test
  void whatIsNoProjectIsRefusedBeforeAnythingIsCalled() {
    env.put("MAYFLY_PROJECT", "Lab Batch");

    assertThat(mayfly("status")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("gcloud projects list");
    assertThat(control.calls).isEmpty();
  }

  private int mayfly(String... args) {
    var screen =
        new Screen(
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8),
            false,
            false,
            Screen.ENDLESS);
    var now = new Instant[] {Fixtures.NOW};
    var waiting = new Waiting(() -> now[0], span -> now[0] = now[0].plus(span));
    return Main.run(new Session(env, screen, waiting, () -> "id"), args);
  }
}
