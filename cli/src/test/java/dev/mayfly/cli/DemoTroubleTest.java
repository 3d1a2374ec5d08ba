package dev.mayfly.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.flow.Waiting;
import dev.mayfly.cli.show.Progress;
import dev.mayfly.cli.show.Screen;
import dev.mayfly.core.control.JobView;
import dev.mayfly.core.model.Cause;
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

/** What the demo takes away, and what it holds for shown. */
class DemoTroubleTest {
  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private TestControl control;
  private DemoTrouble trouble;

  @BeforeEach
  void start() throws IOException {
    control = new TestControl();
    control.announce(home);
    control.clusters.put("lab", Fixtures.cluster());
    var print = new PrintStream(out, true, UTF_8);
    var screen = new Screen(print, print, false, false, Screen.ENDLESS);
    var session =
        new Session(
            Map.of("MAYFLY_HOME", home.toString()),
            screen,
            new Waiting(() -> Fixtures.NOW, span -> {}),
            () -> "id");
    trouble = new DemoTrouble(session, "lab", Optional.empty(), Progress.silent(screen));
  }

  @AfterEach
  void stop() {
    control.close();
  }

  @Test
  void workerWithoutTasksIsLeftAlone() {
    control.workers.add(Fixtures.worker("idle", "ready", -3, Optional.empty()));
    trouble.show(job(Map.of()));
    assertThat(control.calls).noneMatch(call -> call.startsWith("POST"));

    control.workers.add(Fixtures.worker("busy", "ready", 5, Optional.empty()));
    trouble.show(job(Map.of()));
    assertThat(control.calls).contains("POST /_sim/vms/busy/preempt?seconds=5");
  }

  @Test
  void slowAgentDoesNotFailTheDemo() {
    control.workers.add(Fixtures.worker("one", "ready", 5, Optional.empty()));
    trouble.show(job(Map.of()));
    control.workers.clear();
    control.workers.add(Fixtures.worker("one", "lost", 5, Optional.of("silent")));
    control.workers.add(Fixtures.worker("two", "ready", 5, Optional.empty()));
    control.add(job(Map.of(Cause.LOST, 2L)));
    trouble.show(job(Map.of(Cause.LOST, 2L)));

    assertThat(control.calls).contains("POST /_sim/vms/two/kill");
    assertThat(trouble.missing(job(Map.of(Cause.LOST, 3L)))).isEmpty();
    assertThat(trouble.missing(job(Map.of(Cause.LOST, 2L))))
        .isEqualTo(List.of("no worker lost its host while it ran tasks"));
  }

  private static JobView job(Map<Cause, Long> attempts) {
    return Fixtures.job(Fixtures.jobSpec()).totals(7, 0, 0, 5).attempts(attempts).view();
  }
}
