package dev.mayfly.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.core.model.message.UserCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mayfly down} against a fake control plane. */
class DownCommandTest {
  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private FakeControlPlane control;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    control.clusters.put("lab", ViewFixtures.cluster());
  }

  @AfterEach
  void stop() {
    control.close();
  }

  @Test
  void downOfUnknownClusterIsPublishedAllTheSame() {
    assertThat(mayfly("down", "late")).isEqualTo(4);

    assertThat(control.published).containsExactly(new UserCommand.DownCluster("late"));
    assertThat(out()).contains("down of late is published: an up that was published before");
  }

  @Test
  void downNamesTheJobsItStops() {
    for (var name : List.of("ended", "live"))
      control.add(
          ViewFixtures.job(ViewFixtures.jobSpec(ViewFixtures.JOB.replace("reddit", name)))
              .uid("uid-" + name)
              .state(name.equals("live") ? "running" : "succeeded")
              .view());

    assertThat(mayfly("down", "lab")).isZero();

    assertThat(out())
        .contains("cluster lab is going", "  it stops 1 job: live\n")
        .contains(
            "  records and logs of its jobs stay in gs://lab/mayfly/.jobs/; to list them: ls ")
        .contains("/cloud/buckets/lab/mayfly/.jobs\n")
        .contains("its jobs are shown as before: mayfly logs JOB -c lab\n");
  }

  @Test
  void clusterWithoutJobsLeavesNoRecords() {
    assertThat(mayfly("down", "lab")).isZero();

    assertThat(out()).contains("cluster lab is going").doesNotContain("records");
  }

  private int mayfly(String... args) {
    var screen =
        TestScreen.plain(
            new PrintStream(out, true, UTF_8),
            new PrintStream(new ByteArrayOutputStream(), true, UTF_8),
            Screen.ENDLESS);
    var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, span -> {});
    var cliContext =
        new CliContext(Map.of("MAYFLY_HOME", home.toString()), screen, conditionPoller, () -> "id");
    return Main.run(cliContext, args);
  }

  private String out() {
    return out.toString(UTF_8);
  }
}
