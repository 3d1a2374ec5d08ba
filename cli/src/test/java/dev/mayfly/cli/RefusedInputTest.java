package dev.mayfly.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Words on the command line that mean something else, and what is said of them. */
class RefusedInputTest {
  @TempDir Path home;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Map<String, String> env = new HashMap<>();
  private FakeControlPlane control;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    control.clusters.put("lab", ViewFixtures.cluster());
    env.put("MAYFLY_HOME", home.toString());
  }

  @AfterEach
  void stop() {
    control.close();
  }

  private int mayfly(String... args) {
    err.reset();
    var screen = TestScreen.plain(new ByteArrayOutputStream(), err);
    var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, _ -> {});
    return Main.run(new CliContext(env, screen, conditionPoller, () -> "id"), args);
  }

  private String err() {
    return err.toString(UTF_8);
  }

  @Test
  void fileOfWantedKindIsProposedForItsFolder() throws IOException {
    for (var name : List.of("a.yaml", "cluster.yaml"))
      Files.writeString(home.resolve(name), ViewFixtures.CLUSTER);
    Files.writeString(home.resolve("job.yaml"), ViewFixtures.JOB);
    Files.writeString(home.resolve("sweep.json"), "{\"apiVersion\": \"x\", \"kind\": \"Job\"}");

    assertThat(mayfly("submit", home.toString())).isEqualTo(2);
    assertThat(err())
        .contains("for example " + home + "/job.yaml or " + home + "/sweep.json")
        .doesNotContain("cluster.yaml");
    assertThat(mayfly("up", home.toString())).isEqualTo(2);
    assertThat(err()).contains("for example " + home + "/a.yaml or " + home + "/cluster.yaml");
  }

  @Test
  void secondTaskAndWordsForNumbersAreExplained() {
    control.add(ViewFixtures.job(ViewFixtures.jobSpec()).view());

    assertThat(mayfly("logs", "reddit/3", "reddit/4")).isEqualTo(2);
    assertThat(err())
        .contains("reddit/3 and reddit/4 are several tasks; logs shows one, as JOB/INDEX such as")
        .contains("reddit/0, or all of a job, each line with its task: mayfly logs reddit");
    assertThat(mayfly("logs", "reddit", "four")).isEqualTo(2);
    assertThat(err()).contains("'four' is not a task's index; write reddit/0");
    assertThat(mayfly("stop", "reddit/3", "reddit/4")).isEqualTo(2);
    assertThat(err()).contains("'reddit/4' is one too many: mayfly stop takes one job; several");
    assertThat(mayfly("tasks", "reddit", "--from", "x")).isEqualTo(2);
    assertThat(err()).contains("'x' is not a whole number");
    assertThat(mayfly("retry", "reddit", "--max-usd", "fifty")).isEqualTo(2);
    assertThat(err()).contains("'fifty' is not a number").doesNotContain("java.");
  }

  @Test
  void olderJobOfNameIsReachedByUid() {
    for (var uid : List.of("j1", "j2"))
      control.add(ViewFixtures.job(ViewFixtures.jobSpec()).uid(uid).view());

    assertThat(mayfly("jobs")).isZero();
    assertThat(err())
        .contains("a name means its newest job; commands take an older one by its UID:")
        .contains("mayfly explain j1");
  }

  @Test
  void clusterThatIsDownMayBeNamed() {
    control.clusters.clear();

    assertThat(mayfly("logs", "reddit")).isEqualTo(4);
    assertThat(err())
        .contains("no cluster is up; bring one up with: mayfly up CLUSTER.yaml; if a cluster had")
        .contains("had job reddit that is down now, name it: -c CLUSTER");
    for (var name : List.of("a", "b"))
      control.clusters.put(name, ViewFixtures.cluster(name, "gs://lab"));
    assertThat(mayfly("logs", "reddit")).isEqualTo(4);
    assertThat(err()).contains("one that is down is looked at when you name it: -c CLUSTER");
  }

  @Test
  void ownerThatNobodyCanBeCalledIsRefused() {
    control.add(ViewFixtures.job(ViewFixtures.jobSpec()).view());
    env.put("MAYFLY_OWNER", "a b");

    assertThat(mayfly("jobs")).isEqualTo(2);
    assertThat(err()).contains("MAYFLY_OWNER is 'a b', which no owner can be called");
  }
}
