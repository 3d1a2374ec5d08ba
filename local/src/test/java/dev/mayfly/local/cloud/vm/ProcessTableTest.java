package dev.mayfly.local.cloud.vm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class ProcessTableTest {
  @Test
  void aMachineWhoseFirstProcessHasNoSessionYetIsNotAllThatIsInOurs() throws Exception {
    var marker = "MAYFLY_TEST_" + UUID.randomUUID();
    var builder = new ProcessBuilder("/bin/sh", "-c", "read line");
    builder.environment().put(marker, "1");
    var first = builder.start();
    try {
      assertThat(ProcessTable.members(marker + "=1")).containsExactly(first.pid());
    } finally {
      first.destroyForcibly().waitFor();
    }
  }
}
