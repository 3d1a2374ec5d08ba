package dev.mayfly.local.machines;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ProcessTableTest {
  @Test
  void machineIsOnBeforeItsProcessHasAnEnvironment() throws Exception {
    var builder = new ProcessBuilder("/bin/sleep", "1000");
    builder.environment().clear();
    var child = builder.start();
    try {
      var trace = new VmHandle(child.pid(), ProcessTable.startTicks(child.pid()), 0);
      assertThat(ProcessTable.find(child.pid(), "MAYFLY_VM=w-1")).isEmpty();
      assertThat(ProcessTable.members("MAYFLY_VM=w-1", ProcessTable.find(trace)))
          .containsExactly(child.pid());
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  @Test
  void machineWithoutSessionOwnsOnlyMarkedProcesses() throws Exception {
    var marker = "MAYFLY_TEST_" + UUID.randomUUID();
    var builder = new ProcessBuilder("/bin/sh", "-c", "echo up; read line");
    builder.environment().put(marker, "1");
    var first = builder.start();
    try {
      // Its environment cannot be read before it has become the shell.
      assertThat(first.inputReader().readLine()).isEqualTo("up");
      assertThat(ProcessTable.members(marker + "=1", Optional.empty()))
          .containsExactly(first.pid());
    } finally {
      first.destroyForcibly().waitFor();
    }
  }
}
