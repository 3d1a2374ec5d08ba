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

  @Test
  void visitorsSessionIsNotTheMachines() throws Exception {
    var marker = "MAYFLY_TEST_" + UUID.randomUUID();
    // A login session in which a person works, and a visit of the machine in it.
    var visit = "env %s=1 MAYFLY_SESSION=yes sh -c 'sleep 1000 & echo $$ $!; wait' & wait";
    var login = new ProcessBuilder("setsid", "sh", "-c", visit.formatted(marker)).start();
    try {
      var line = login.inputReader().readLine().split(" ");

      assertThat(ProcessTable.members(marker + "=1", Optional.empty()))
          .containsExactlyInAnyOrder(Long.valueOf(line[0]), Long.valueOf(line[1]));
    } finally {
      login.descendants().forEach(ProcessHandle::destroyForcibly);
      login.destroyForcibly().waitFor();
    }
  }
}
