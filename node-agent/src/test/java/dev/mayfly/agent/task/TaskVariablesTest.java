package dev.mayfly.agent.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.cluster.SetupSpec;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.gang.GangEnvironment;
import dev.mayfly.core.model.gang.GangOrder;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.wire.SubmitterCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real tasks have exactly the variables that {@code docs/tasks.md} lists. */
@Timeout(120)
final class TaskVariablesTest {
  private static final Pattern ROW = Pattern.compile("^\\| `([A-Za-z_]+)` \\|", Pattern.MULTILINE);

  /** Set by the shell itself. */
  private static final Set<String> SHELL = Set.of("SHLVL", "OLDPWD", "_");

  @TempDir Path root;
  private TaskExecutorFixture bench;
  private int number;

  @BeforeEach
  void open() throws IOException {
    // As the laptop cloud starts an agent, whose own variables must not reach tasks.
    var agent =
        Map.of(
            "PATH", "/usr/bin:/bin",
            "LANG", "C.UTF-8",
            "GOOGLE_CLOUD_PROJECT", "lab",
            "GCE_METADATA_HOST", "127.0.0.1:1",
            "MAYFLY_STORAGE_ENDPOINT", "http://127.0.0.1:1",
            "MAYFLY_VM", "7",
            "MAYFLY_VM_CPUS", "2",
            "MAYFLY_BOOT_ID", "b",
            "MAYFLY_HOME", "/x");
    var base = BaseEnvironment.from(agent, root.resolve("home"));
    var submitter =
        new SubmitterAccess(
            () -> "lab",
            Map.of("MAYFLY_API_URL", "a", "MAYFLY_PUBSUB_URL", "p", "MAYFLY_REGION", "r"),
            () -> new SubmitterCredentials("access", "identity", Instant.EPOCH),
            InstantSource.system());
    var access = new TaskAccess(BaseEnvironment.ofMetadata(agent), Optional.of(submitter));
    bench = new TaskExecutorFixture(root, TaskUsers.NONE, base, access);
  }

  @AfterEach
  void close() throws IOException {
    bench.close();
  }

  @Test
  void pageListsAllTaskVariables() throws Exception {
    var hosts = List.of("10.0.0.1", "10.0.0.2");
    var found = new TreeSet<String>();
    found.addAll(run(Map.of()).keySet());
    found.addAll(run(Map.of(), new TaskRights(false, true, false)).keySet());
    found.addAll(run(Map.of(), new TaskRights(false, false, true)).keySet());
    for (var slice : List.of(true, false)) {
      var order = new GangOrder(new LeaseRef("j1", 0, 1), 1, GangOrder.Step.RUN, 1, hosts);
      found.addAll(run(GangEnvironment.of(order, slice)).keySet());
      for (var mode : TaskEnvironment.GangMode.values())
        found.addAll(run(GangEnvironment.of(order, slice, Optional.of(mode), 1)).keySet());
    }
    found.removeAll(SHELL);
    found.remove("MAYFLY_VAR_NAME");
    // In containers on TPUs alone, where TpuDevicesTest sees them.
    found.addAll(List.of("PJRT_DEVICE", "JAX_PLATFORMS"));

    var page = Files.readString(Path.of("../docs/tasks.md"));
    assertThat(page).contains("| `MAYFLY_VAR_…` |", "| `MAYFLY_MOUNT_…` |");
    var variables = page.substring(0, page.indexOf("## Programs that stay"));
    var listed = ROW.matcher(variables).results().map(row -> row.group(1));
    assertThat(new TreeSet<>(listed.toList())).isEqualTo(found);
  }

  /** Without the right, a task is told of no account: neither the machine's nor another. */
  @Test
  void rightsBringVariables() throws Exception {
    assertThat(run(Map.of()))
        .doesNotContainKeys(
            "GCE_METADATA_HOST",
            "STORAGE_EMULATOR_HOST",
            "MAYFLY_STORAGE_ENDPOINT",
            "MAYFLY_TOKEN_FILE");
    assertThat(run(Map.of(), new TaskRights(false, true, false)))
        .containsEntry("STORAGE_EMULATOR_HOST", "http://127.0.0.1:1")
        .containsEntry("GCE_METADATA_HOST", "127.0.0.1:1")
        .doesNotContainKey("MAYFLY_TOKEN_FILE");
    assertThat(run(Map.of(), new TaskRights(false, false, true)))
        .containsEntry("MAYFLY_PROJECT", "lab")
        .containsEntry("MAYFLY_CLUSTER", "cluster")
        .doesNotContainKeys("GCE_METADATA_HOST", "STORAGE_EMULATOR_HOST");
  }

  @Test
  void limitOfGpuMemoryReachesTasks() throws Exception {
    assertThat(run(Map.of()))
        .containsEntry("MAYFLY_GPU_MEMORY", Long.toString(1L << 30))
        .containsEntry("XLA_PYTHON_CLIENT_MEM_FRACTION", "0.2500")
        .containsEntry("CUDA_MPS_PINNED_DEVICE_MEM_LIMIT", "0=1024M")
        .containsEntry("CUDA_MPS_PIPE_DIRECTORY", "/nowhere/mps/pipe");
    // As a user's variables do, which come by the same way.
    assertThat(run(Map.of("CUDA_MPS_PIPE_DIRECTORY", "/mine", "XLA_CLIENT_MEM_FRACTION", ".9")))
        .containsEntry("CUDA_MPS_PIPE_DIRECTORY", "/mine")
        .containsEntry("XLA_CLIENT_MEM_FRACTION", ".9")
        .doesNotContainKey("XLA_PYTHON_CLIENT_MEM_FRACTION");
  }

  @Test
  void homeOutlivesTasks() throws Exception {
    var variables = run(Map.of());

    assertThat(variables).containsEntry("HOME", root.resolve("home").toString());
    assertThat(BaseEnvironment.from(Map.of("HOME", "/home/ann"), root))
        .containsEntry("HOME", "/home/ann");
    assertThat(bench.workDir.home()).isDirectory();
    bench.workDir.clean();
    assertThat(bench.workDir.home()).isDirectory();
  }

  /** The environment that a task wrote. */
  private Map<String, String> run(Map<String, String> peers) throws Exception {
    return run(peers, TaskRights.NONE);
  }

  private Map<String, String> run(Map<String, String> peers, TaskRights rights) throws Exception {
    var file = root.resolve("variables." + number);
    var taskAttempt = new TaskAttempt(new LeaseRef("j1", number++, 1), number);
    var setup =
        new SetupSpec(
            List.of("sh", "-c", "touch $MAYFLY_SETUP/pyvenv.cfg; mkdir $MAYFLY_SETUP/conda-meta"),
            List.of(),
            Duration.ofMinutes(1),
            false,
            Optional.empty());
    var checkpoint = Optional.of("gs://lab/ck/{index}/");
    var from = Optional.of("git+https://host/lab/train@" + "1f".repeat(20) + "#ref=main");
    var environment =
        new TaskEnvironment(
            Optional.of(setup),
            checkpoint,
            Optional.empty(),
            Optional.empty(),
            from,
            Optional.empty(),
            Optional.empty());
    var plain = TestJobs.owned("ann", TestJobs.onGpu("sh", "-c", "env > " + file));
    var jobInfo = TestJobs.with(rights, TestJobs.with(environment, plain));
    var item = new TaskItem(number, Optional.of("gs://lab/in/a.txt"), Map.of("name", "lr"));
    bench.taskExecutor.start(new AgentEffect.Start(taskAttempt, jobInfo, item, List.of(0), peers));
    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    var variables = new TreeMap<String, String>();
    for (var line : Files.readAllLines(file)) {
      var at = line.indexOf('=');
      if (at > 0) variables.put(line.substring(0, at), line.substring(at + 1));
    }
    return variables;
  }
}
