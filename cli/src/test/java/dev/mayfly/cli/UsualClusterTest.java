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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code MAYFLY_CLUSTER}: which of several clusters is meant. */
class UsualClusterTest {
  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private FakeControlPlane control;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    control.clusters.put("lab", ViewFixtures.cluster());
    control.clusters.put("other", ViewFixtures.cluster("other", "gs://other"));
    control.workers.add(ViewFixtures.worker("lab-cpu-a", "ready", 5, Optional.empty()));
  }

  @AfterEach
  void stop() {
    control.close();
  }

  @Test
  void errorsAndHelpNameTheVariable() throws IOException {
    assertThat(mayfly(Map.of(), "workers")).isEqualTo(2);
    assertThat(err.toString(UTF_8))
        .contains(
            "there are several clusters; name one with -c, or set MAYFLY_CLUSTER: lab, other");
    assertThat(mayfly(Map.of(), "drain", "lab-cpu-a")).isEqualTo(2);
    assertThat(err.toString(UTF_8))
        .contains(
            "several clusters have worker lab-cpu-a; name one with -c, or set MAYFLY_CLUSTER");

    assertThat(mayfly(Map.of(), "--help")).isZero();
    var laptop = Files.readString(Path.of("../docs/laptop.md"));
    assertThat(Pattern.compile("MAYFLY_[A-Z]+").matcher(out.toString(UTF_8)).results())
        .extracting(found -> found.group())
        .contains("MAYFLY_CLUSTER")
        .allSatisfy(variable -> assertThat(laptop).contains("`" + variable + "`"));
  }

  @Test
  void theVariableDecidesWhereSeveralMatch() {
    var usual = Map.of("MAYFLY_CLUSTER", "other");

    assertThat(mayfly(usual, "workers")).isZero();
    // Nobody takes the message here: what counts is the cluster that it names.
    assertThat(mayfly(usual, "drain", "lab-cpu-a")).isNotZero();
    assertThat(err.toString(UTF_8)).contains("drain of lab-cpu-a is published");
    assertThat(control.published.toString()).contains("other").doesNotContain("lab,");
  }

  @Test
  void clusterThatGoesIsNotMeant() {
    control.clusters.put("hello", ViewFixtures.goingCluster("hello"));
    control.clusters.remove("other");

    assertThat(mayfly(Map.of(), "workers")).isZero();
    assertThat(control.calls).last().asString().contains("/clusters/lab/workers");
    // Both have the worker.
    mayfly(Map.of(), "drain", "lab-cpu-a");
    assertThat(control.published.toString()).contains("lab").doesNotContain("hello");
  }

  @Test
  void onlyClusterIsMeantEvenIfItGoes() {
    control.clusters.clear();
    control.clusters.put("hello", ViewFixtures.goingCluster("hello"));

    assertThat(mayfly(Map.of(), "workers")).isZero();
    assertThat(control.calls).last().asString().contains("/clusters/hello/workers");
  }

  private int mayfly(Map<String, String> variables, String... args) {
    var env = new HashMap<>(variables);
    env.put("MAYFLY_HOME", home.toString());
    var screen = TestScreen.plain(out, err);
    var now = new AtomicReference<>(ViewFixtures.NOW);
    var conditionPoller =
        new ConditionPoller(now::get, span -> now.updateAndGet(at -> at.plus(span)));
    return Main.run(new CliContext(env, screen, conditionPoller, () -> "id"), args);
  }
}
