package dev.mayfly.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.output.ProgressDisplay;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.query.JobStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which machines the demo takes away, and what counts as shown. */
class DemoMachineLossTest {
  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private FakeControlPlane control;
  private Screen screen;
  private CliContext cliContext;
  private DemoMachineLoss trouble;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    control.clusters.put("lab", ViewFixtures.cluster());
    var print = new PrintStream(out, true, UTF_8);
    screen = TestScreen.plain(print, print, Screen.ENDLESS);
    cliContext =
        new CliContext(
            Map.of("MAYFLY_HOME", home.toString()),
            screen,
            new ConditionPoller(() -> ViewFixtures.NOW, span -> {}),
            () -> "id");
    trouble = demo(Optional.empty());
  }

  private DemoMachineLoss demo(Optional<DemoControlPlaneFaults> faults) {
    return new DemoMachineLoss(cliContext, "lab", faults, ProgressDisplay.silent(screen));
  }

  @AfterEach
  void stop() {
    control.close();
  }

  @Test
  void workerWithoutTasksIsLeftAlone() {
    control.workers.add(ViewFixtures.worker("idle", "ready", -3, Optional.empty()));
    trouble.show(job(Map.of()));
    assertThat(control.calls).noneMatch(call -> call.startsWith("POST"));

    control.workers.add(ViewFixtures.worker("busy", "ready", 5, Optional.empty()));
    trouble.show(job(Map.of()));
    assertThat(control.calls).contains("POST /_sim/vms/busy/preempt?seconds=5");
  }

  @Test
  void slowAgentDoesNotFailTheDemo() {
    control.workers.add(ViewFixtures.worker("one", "ready", 5, Optional.empty()));
    trouble.show(job(Map.of()));
    control.workers.clear();
    control.workers.add(ViewFixtures.worker("one", "lost", 5, Optional.of("silent")));
    control.workers.add(ViewFixtures.worker("two", "ready", 5, Optional.empty()));
    control.add(job(Map.of(FailureCause.LOST, 2L)));
    trouble.show(job(Map.of(FailureCause.LOST, 2L)));

    assertThat(control.calls).contains("POST /_sim/vms/two/kill");
    assertThat(trouble.missing(job(Map.of(FailureCause.LOST, 3L)))).isEmpty();
    assertThat(trouble.missing(job(Map.of(FailureCause.LOST, 2L))))
        .isEqualTo(List.of("no worker lost its host while it ran tasks"));
  }

  @Test
  void faultsThatWereNotInjectedAreMissing() {
    var faults = DemoControlPlaneFaults.of(cliContext, List.of("kill-functions"), true);
    var demo = demo(faults);
    assertThat(demo.missing(job(Map.of()))).contains("no fault of kill-functions was injected");

    demo.show(job(Map.of()));

    assertThat(control.calls).contains("POST /_sim/functions/kill");
    assertThat(demo.missing(job(Map.of())))
        .doesNotContain("no fault of kill-functions was injected");
  }

  private static JobStatus job(Map<FailureCause, Long> attempts) {
    return ViewFixtures.job(ViewFixtures.jobSpec()).totals(7, 0, 0, 5).attempts(attempts).view();
  }
}
