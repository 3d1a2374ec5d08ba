package dev.mayfly.agent.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.files.WorkDir;
import dev.mayfly.agent.gang.SshGang;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.model.job.TaskEnvironment.GangMode;
import dev.mayfly.core.model.job.TaskItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys of a gang's hosts, on one host; {@code examples/alpa/check.sh} has three and OpenSSH. */
final class SshGangTest {
  @TempDir Path root;

  @Test
  void privateKeyStaysInItsFolder() throws IOException {
    try (var workDir = WorkDir.open(root.resolve("work"));
        var dir = workDir.attempt()) {
      var start = start(GangMode.SSH, Map.of("MAYFLY_SSH_KEYS", "ssh-ed25519 a"));

      var open = SshGang.makeKey(start, dir).orElseThrow();

      var folder = Path.of(SshGang.variables(start, dir).get("MAYFLY_SSH"));
      assertThat(rights(folder)).isEqualTo("rwx------");
      assertThat(rights(folder.resolve("id_ed25519"))).isEqualTo("rw-------");
      assertThat(folder).startsWith(dir.folder());
      assertThat(Files.readString(folder.resolve("id_ed25519.pub"))).isEqualTo(open + "\n");
      var hidden = Files.readString(folder.resolve("id_ed25519")).lines().toList().get(3);
      assertThat(open + SshGang.variables(start, dir) + SshGang.command(List.of("run"), start))
          .doesNotContain(hidden);
    }
  }

  @Test
  void eachRunHasItsOwnKey() throws IOException {
    try (var workDir = WorkDir.open(root.resolve("work"));
        var first = workDir.attempt();
        var second = workDir.attempt()) {
      var start = start(GangMode.SSH, Map.of());

      assertThat(SshGang.makeKey(start, first)).isNotEqualTo(SshGang.makeKey(start, second));
    }
  }

  @Test
  void otherModesHaveNoKeys() throws IOException {
    try (var workDir = WorkDir.open(root.resolve("work"));
        AttemptDir dir = workDir.attempt()) {
      var start = start(GangMode.JAX, Map.of());

      assertThat(SshGang.makeKey(start, dir)).isEmpty();
      assertThat(SshGang.variables(start, dir)).isEmpty();
      assertThat(SshGang.command(List.of("run"), start)).containsExactly("run");
    }
  }

  @Test
  void preparedHostWithoutPeersRunsSetupUnchanged() {
    assertThat(SshGang.command(List.of("run"), start(GangMode.SSH, Map.of())))
        .containsExactly("run");
  }

  private static String rights(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private static AgentEffect.Start start(GangMode mode, Map<String, String> peers) {
    var environment = new TaskEnvironment(Optional.empty(), Optional.empty(), Optional.of(mode));
    return new AgentEffect.Start(
        new TaskAttempt(new LeaseRef("j1", 7, 3), 7),
        TestJobs.with(environment, TestJobs.onTpu("run")),
        new TaskItem(7, Optional.empty(), Map.of()),
        List.of(),
        peers);
  }
}
