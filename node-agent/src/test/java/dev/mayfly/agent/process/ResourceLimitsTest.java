package dev.mayfly.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On plain files instead of the kernel's. */
final class ResourceLimitsTest {
  @TempDir Path proc;
  @TempDir Path groups;
  private Path own;

  @BeforeEach
  void machine() throws IOException {
    own = Files.createDirectories(groups.resolve("system.slice/mayfly.service"));
    Files.createDirectory(proc.resolve("self"));
    write(proc, "self/mountinfo", "29 23 0:26 / " + groups + " rw shared:9 - cgroup2 cgroup2 rw\n");
    write(proc, "self/cgroup", "0::/system.slice/mayfly.service\n");
    write(own, "cgroup.controllers", "cpuset cpu io memory pids\n");
    write(own, "cgroup.subtree_control", "");
    write(own, "cgroup.procs", "4711\n");
  }

  @Test
  void agentMovesAsideAndTasksAreLimited() throws Exception {
    var resourceLimits = CgroupLimits.detect(proc);

    try (var bounds = resourceLimits.bounds("j1/7/s0e1", 1_500, 8L << 30)) {
      assertThat(resourceLimits.unenforcedReason()).isEmpty();
      assertThat(own.resolve("mayfly-agent/cgroup.procs")).hasContent("4711");
      assertThat(own.resolve("cgroup.subtree_control")).hasContent("+cpu +memory +pids");
      var group = own.resolve("mayfly-j1-7-s0e1");
      assertThat(group.resolve("cpu.max")).hasContent("150000 100000");
      assertThat(group.resolve("memory.max")).hasContent("8589934592");
      assertThat(group.resolve("memory.oom.group")).hasContent("1");
      assertThat(group.resolve("pids.max")).hasContent("16384");
      assertThat(bounds.entrance()).contains(group.resolve("cgroup.procs"));
    }
  }

  @Test
  void unnamedMemoryIsNotLimited() throws Exception {
    CgroupLimits.detect(proc).bounds("a", 1_000, 0);

    assertThat(own.resolve("mayfly-a/cpu.max")).hasContent("100000 100000");
    assertThat(own.resolve("mayfly-a/memory.max")).doesNotExist();
  }

  @Test
  void cpuQuotaRespectsKernelMinimum() throws Exception {
    var resourceLimits = CgroupLimits.detect(proc);

    resourceLimits.bounds("small", 5, 0);
    resourceLimits.bounds("least", 10, 0);
    resourceLimits.bounds("none", 0, 0);

    assertThat(own.resolve("mayfly-small/cpu.max")).hasContent("1000 100000");
    assertThat(own.resolve("mayfly-least/cpu.max")).hasContent("1000 100000");
    assertThat(own.resolve("mayfly-none/cpu.max")).doesNotExist();
    assertThat(own.resolve("mayfly-none/cpu.weight")).hasContent("1");
  }

  @Test
  void vanishedProcessDoesNotBlockSetup() throws Exception {
    var aside = Files.createDirectories(own.resolve("mayfly-agent"));
    // Writing into a folder fails, like moving a process that is gone.
    Files.createDirectory(aside.resolve("cgroup.procs"));

    assertThat(CgroupLimits.detect(proc).unenforcedReason()).isEmpty();
  }

  @Test
  void oomKillIsAttributedToItsAttempt() throws Exception {
    var resourceLimits = CgroupLimits.detect(proc);
    var bounds = resourceLimits.bounds("a", 1_000, 1 << 20);

    write(own, "mayfly-a/memory.events", "low 0\nhigh 0\nmax 12\noom 0\noom_kill 0\n");
    assertThat(bounds.ranOutOfMemory()).isFalse();
    write(own, "mayfly-a/memory.events", "low 0\nhigh 0\nmax 14\noom 1\noom_kill 1\n");
    assertThat(bounds.ranOutOfMemory()).isTrue();
  }

  @Test
  void taskHasHalfOfAMachinesProcessesAtMost() throws Exception {
    Files.createDirectories(proc.resolve("sys/kernel"));
    write(proc, "sys/kernel/threads-max", "7831\n");
    write(proc, "sys/kernel/pid_max", "4194304\n");
    var bounds = CgroupLimits.detect(proc).bounds("a", 1_000, 0);

    assertThat(own.resolve("mayfly-a/pids.max")).hasContent("3915");
    write(own, "mayfly-a/pids.events", "max 0\n");
    assertThat(bounds.reachedProcessLimit()).isEmpty();
    write(own, "mayfly-a/pids.events", "max 12\n");
    assertThat(bounds.reachedProcessLimit()).hasValue(3_915);
  }

  @Test
  void missingProcessControllerIsReported() throws Exception {
    write(own, "cgroup.controllers", "cpu memory\n");
    var resourceLimits = CgroupLimits.detect(proc);

    resourceLimits.bounds("a", 1_000, 0);

    assertThat(own.resolve("cgroup.subtree_control")).hasContent("+cpu +memory");
    assertThat(own.resolve("mayfly-a/pids.max")).doesNotExist();
    assertThat(resourceLimits.unenforcedReason())
        .contains("the limit of processes: control groups have no pids controller");
  }

  @Test
  void missingMemoryControllerIsReported() throws Exception {
    write(own, "cgroup.controllers", "cpu pids\n");

    var resourceLimits = CgroupLimits.detect(proc);

    assertThat(resourceLimits.unenforcedReason())
        .get()
        .asString()
        .startsWith("limits of CPU, memory and processes: ")
        .contains("memory");
    assertThat(own.resolve("mayfly-agent")).doesNotExist();
  }

  @Test
  void missingVersion2IsReported() throws Exception {
    write(proc, "self/mountinfo", "31 30 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");

    assertThat(CgroupLimits.detect(proc).unenforcedReason()).get().asString().contains("version 2");
  }

  @Test
  void withoutLimitsKernelCountIsEvidence() throws Exception {
    write(proc, "vmstat", "nr_free_pages 1\noom_kill 3\n");
    var bounds = new NoLimits("test", proc).bounds("a", 1, 1);

    assertThat(bounds.ranOutOfMemory()).isFalse();
    write(proc, "vmstat", "nr_free_pages 1\noom_kill 4\n");
    assertThat(bounds.ranOutOfMemory()).isTrue();
  }

  private static void write(Path folder, String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }
}
