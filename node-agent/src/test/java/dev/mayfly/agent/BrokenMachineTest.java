package dev.mayfly.agent;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.process.ProcessAwait;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.sync.MachineProblem;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An agent after its predecessor was killed, and on a disk that accepts no folders. */
@Timeout(120)
final class BrokenMachineTest extends AgentProcessFixture {
  /** As with sudo: the environment does not identify the processes. */
  @Test
  void nextAgentKillsLeftovers() throws Exception {
    var pids = root.resolve("pids");
    assertThat(new ProcessBuilder("mkfifo", pids.toString()).start().waitFor()).isZero();
    command = "exec env -i /bin/sh -c 'echo $$ > " + pids + "; exec /bin/sleep 600'";
    granting = true;
    launch();
    var running = new ArrayList<Long>();
    try (var up = new RandomAccessFile(pids.toFile(), "rw")) {
      for (var i = 0; i < 2; i++) running.add(Long.parseLong(up.readLine()));
    }
    newReport();

    assertThat(agent.destroyForcibly().waitFor(60, SECONDS)).isTrue();
    granting = false;
    launch();
    newReport();

    for (var pid : running) assertThat(ProcessAwait.gone(pid)).isTrue();
  }

  @Test
  void brokenDiskReturnsTheLease() throws Exception {
    launch();
    newReport();
    Files.delete(root.resolve("work/logs"));
    granting = true;

    var unfit =
        report(r -> r.machineProblem().filter(p -> p.is(MachineProblem.Kind.UNFIT)).isPresent());

    assertThat(unfit.machineProblem().orElseThrow().what())
        .contains("no attempt can start here: no folder for an attempt can be made");
    assertThat(unfit.room()).isEqualTo(Resources.ZERO);
  }
}
