package dev.mayfly.agent.task;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.gang.RayGang;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.model.job.TaskItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The head of a gang's Ray cluster, with a stand-in of Ray that writes down how it is called. */
@Timeout(60)
final class RayGangTest {
  @TempDir Path root;

  @Test
  void commandRunsAtHeadAndStopsNoRay() throws Exception {
    program("ray", "echo \"$1\" >>'" + root.resolve("calls") + "'");
    program("python3", "exit 0");

    var head = head("sh", "-c", "echo command >>'" + root.resolve("calls") + "'; exit 7");

    assertThat(head.waitFor(30, SECONDS)).isTrue();
    assertThat(head.exitValue()).isEqualTo(7);
    assertThat(Files.readAllLines(root.resolve("calls"))).containsExactly("start", "command");
  }

  @Test
  void headThatDoesNotStartSaysWhy() throws Exception {
    program("ray", "echo no port is free; exit 1");

    var head = head("true");

    assertThat(new String(head.getInputStream().readAllBytes(), UTF_8))
        .isEqualTo("no port is free\n");
    assertThat(head.waitFor(30, SECONDS)).isTrue();
    assertThat(head.exitValue()).isEqualTo(1);
  }

  private void program(String name, String body) throws IOException {
    var file = Files.writeString(root.resolve(name), "#!/bin/sh\n" + body + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private Process head(String... command) throws IOException {
    var environment =
        new TaskEnvironment(
            Optional.empty(), Optional.empty(), Optional.of(TaskEnvironment.GangMode.RAY));
    var jobInfo = TestJobs.with(environment, TestJobs.jobInfo(Optional.empty(), command));
    var peers = Map.of("MAYFLY_RANK", "0");
    var start =
        new AgentEffect.Start(
            new TaskAttempt(new LeaseRef("j1", 0, 1), 0),
            jobInfo,
            new TaskItem(0, Optional.empty(), Map.of()),
            List.of(),
            peers);
    var builder = new ProcessBuilder(RayGang.command(List.of(command), start));
    builder.environment().putAll(peers);
    builder.environment().put("PATH", root + ":/usr/bin:/bin");
    builder.environment().put("TMPDIR", root.toString());
    return builder.redirectErrorStream(true).start();
  }
}
