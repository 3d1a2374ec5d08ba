package dev.mayfly.agent;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.sync.SyncReport;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class MainTest extends AgentProcessFixture {
  @Test
  void runsLeaseWritesSentinelsEndsOnSignal() throws Exception {
    granting = true;
    launch();

    var done = report(r -> r.leases().stream().anyMatch(l -> l.done().count() == TASKS));

    assertThat(done.incarnation().instanceId()).isEqualTo("4711");
    assertThat(done.nonce()).isEqualTo("secret");
    for (int i = 0; i < TASKS; i++) {
      assertThat(root.resolve("bucket/out/" + i)).hasContent("task " + i);
      assertThat(root.resolve("bucket/out/" + i + ".COMPLETE")).exists();
    }
    granting = false;
    agent.destroy();
    assertThat(agent.waitFor(60, SECONDS)).isTrue();
    assertThat(agent.exitValue()).isEqualTo(AgentExit.DONE);
    assertThat(root.resolve("work/logs")).isDirectoryNotContaining("glob:**/*.log");
  }

  @Test
  void endsWithParentAfterLastReport() throws Exception {
    launch(Map.of("MAYFLY_PARENT", "stdin"));
    report(r -> true);

    agent.getOutputStream().close();

    assertThat(report(SyncReport::drained).leases()).isEmpty();
    assertThat(agent.waitFor(60, SECONDS)).isTrue();
    assertThat(agent.exitValue()).isEqualTo(AgentExit.DONE);
  }

  @Test
  void parentLeavingSkipsTaskGrace() throws Exception {
    var deaf = root.resolve("deaf");
    assertThat(new ProcessBuilder("mkfifo", deaf.toString()).start().waitFor()).isZero();
    command = "trap '' TERM; echo up > " + deaf + "; while true; do sleep 1; done";
    granting = true;
    unanswered = true;
    launch(Map.of("MAYFLY_PARENT", "stdin"));
    report(r -> r.leases().stream().anyMatch(l -> !l.running().isEmpty()));
    // Both tasks must ignore signals by now; a pipe opened for both has no end.
    try (var up = new RandomAccessFile(deaf.toFile(), "rw")) {
      for (var i = 0; i < 2; i++) assertThat(up.readLine()).isEqualTo("up");
    }

    agent.toHandle().destroy();
    report(AgentProcessFixture::leaves);
    agent.getOutputStream().close();

    assertThat(agent.waitFor(60, SECONDS)).isTrue();
    over.countDown();
    assertThat(log()).contains("reason=stopped at once");
  }

  @Test
  void killedAgentOfAPersonLeavesNoTask() throws Exception {
    var begun = root.resolve("begun");
    assertThat(new ProcessBuilder("mkfifo", begun.toString()).start().waitFor()).isZero();
    command = "echo $$ > " + begun + "; exec sleep 600";
    granting = true;
    launch(Map.of("MAYFLY_PARENT", "stdin"));
    var task = Optional.<ProcessHandle>empty();
    try (var up = new RandomAccessFile(begun.toFile(), "rw")) {
      task = ProcessHandle.of(Long.parseLong(up.readLine()));
    }

    agent.destroyForcibly();

    task.orElseThrow().onExit().get(60, SECONDS);
  }

  @Test
  void startFollowsRecordedStart() throws Exception {
    var last = Instant.now().plus(Duration.ofDays(900));
    Files.createDirectories(root.resolve("work"));
    Files.writeString(root.resolve("work/start"), last + "\n");

    launch();

    assertThat(report(r -> true).incarnation().agentStart()).isAfter(last);
  }

  @Test
  void reportsPreemptionNotice() throws Exception {
    launch();
    report(r -> r.notice().isEmpty());

    metadata.set("instance/preempted", "TRUE");

    assertThat(report(r -> r.notice().isPresent()).worker()).isEqualTo("w-1");
  }

  @Test
  void sliceHostReportsItsRank() throws Exception {
    metadata.set("instance/attributes/agent-worker-number", "2");
    metadata.set(
        "instance/attributes/worker-network-endpoints", "a:b:10.0.0.1,a:b:10.0.0.2,a:b:10.0.0.3");

    launch();

    assertThat(report(r -> true).host()).isEqualTo(2);
  }

  /** The service's unit, and the laptop cloud, power off the machine on this exit code. */
  @Test
  void cutOffEndsWithPowerOffCode() throws Exception {
    metadata.set("instance/attributes/mayfly-cut-off", "PT1S");
    metadata.set("instance/attributes/mayfly-power-off-after", "PT1S");
    launch();
    report(r -> true);

    away = true;

    assertThat(agent.waitFor(60, SECONDS)).isTrue();
    assertThat(agent.exitValue()).isEqualTo(AgentExit.POWER_OFF);
  }

  @Test
  void wrongSettingsAreReportedLineByLine() throws Exception {
    metadata.set("instance/attributes/mayfly-nonce", "");
    metadata.set("instance/attributes/mayfly-cpu-millis", "many");

    launch();

    assertThat(agent.waitFor(60, SECONDS)).isTrue();
    assertThat(agent.exitValue()).isEqualTo(AgentExit.BAD_SETTINGS);
    assertThat(Files.readString(root.resolve("agent.log")))
        .contains("mayfly-nonce: is missing")
        .contains("mayfly-cpu-millis: is 'many'");
  }
}
