package dev.mayfly.local.machines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.local.access.OwnerToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
class HypervisorTest {
  @TempDir Path folder;

  private final VmSpec spec =
      new VmSpec(
          Long.toString(UUID.randomUUID().getMostSignificantBits() >>> 1),
          "w-1",
          "us-central1-a",
          "p",
          "n2-standard-4",
          4,
          16_384,
          "agent@p.iam.gserviceaccount.com",
          true,
          "127.251.0.1",
          Map.of(),
          List.of());
  private final List<RunningVm> booted = new ArrayList<>();
  private NamedPipe namedPipe = new NamedPipe(Path.of("/nowhere"));

  @BeforeEach
  void pipe() throws IOException, InterruptedException {
    namedPipe = NamedPipe.make(folder.resolve("said"));
  }

  @AfterEach
  void powerOff() {
    booted.forEach(RunningVm::cutPower);
  }

  @Test
  void bootCommandSeesCleanEnvironment() throws IOException {
    boot("env | cut -d= -f1 | sort | tr '\\n' ' ' > " + namedPipe.path() + "; exec sleep 1000");

    assertThat(namedPipe.take().split(" "))
        .containsExactlyInAnyOrder(
            "GCE_METADATA_HOST",
            "GOOGLE_CLOUD_PROJECT",
            "HOME",
            "LANG",
            "MAYFLY_BOOT_ID",
            "MAYFLY_STORAGE_ENDPOINT",
            "MAYFLY_STORAGE_TOKEN",
            "MAYFLY_VM",
            "MAYFLY_VM_BUCKETS",
            "MAYFLY_VM_CPUS",
            "MAYFLY_VM_MEMORY_MB",
            "MAYFLY_VM_TMP",
            "MAYFLY_VM_VOLUMES",
            "PATH",
            "PWD",
            "TMPDIR");
  }

  @Test
  void powerCutKillsDetachedChildren() throws IOException {
    var runningVm =
        boot(
            "setsid sh -c 'trap \"\" TERM HUP; echo $$ > a; sleep 1000' & "
                + "setsid env -i sleep 1001 & echo $! > b; (setsid sleep 1002 & echo $! > c);"
                + "until [ -s a ]; do :; done; cat a b c > "
                + namedPipe.path()
                + "; wait");
    var pids = namedPipe.take().lines().map(Long::valueOf).toList();
    assertThat(runningVm.members()).containsAll(pids).hasSizeGreaterThan(4);

    runningVm.cutPower();

    assertThat(pids).hasSize(3).noneMatch(HypervisorTest::isAlive);
    assertThat(runningVm.members()).isEmpty();
  }

  @Test
  void frozenMachineIsSuspendedUntilThawed() throws IOException {
    var runningVm = boot("echo $$ > " + namedPipe.path() + "; exec sleep 1000");
    var pid = Long.parseLong(namedPipe.take());

    runningVm.freeze();
    assertThat(state(pid)).isEqualTo("T");

    runningVm.thaw();
    assertThat(state(pid)).isNotEqualTo("T");
  }

  @Test
  void aFrozenMachineCanLoseItsPower() throws IOException {
    var runningVm = boot("echo $$ > " + namedPipe.path() + "; exec sleep 1000");
    var pid = Long.parseLong(namedPipe.take());
    runningVm.freeze();

    runningVm.cutPower();

    assertThat(isAlive(pid)).isFalse();
  }

  @Test
  void endedBootCommandRestartsOnSameBoot() throws IOException {
    boot("echo $MAYFLY_BOOT_ID > " + namedPipe.path());

    var first = namedPipe.take();
    assertThat(namedPipe.take()).isEqualTo(first).hasSize(36);
  }

  @Test
  void exitCode42SwitchesTheMachineOff() throws Exception {
    var runningVm = boot("cat " + namedPipe.path() + "; exit 42");

    Files.writeString(namedPipe.path(), "go\n");

    var off = new CountDownLatch(1);
    runningVm.whenOff(off::countDown);
    assertThat(off.await(120, TimeUnit.SECONDS)).isTrue();
    runningVm.cutPower();
    assertThat(runningVm.members()).isEmpty();
    assertThat(folder.resolve("vms/us-central1-a/w-1/serial.log")).hasContent("go");
  }

  @Test
  void machineIsFoundAgainOnSamePort() throws IOException {
    var runningVm = boot("echo up > " + namedPipe.path() + "; exec sleep 1000");
    namedPipe.take();
    runningVm.detach();

    var found = host("unused").find(spec, runningVm.handle());

    found.ifPresent(booted::add);
    assertThat(found.map(RunningVm::handle)).contains(runningVm.handle());
    assertThat(found.map(RunningVm::members)).contains(runningVm.members());
  }

  @Test
  void aRecycledProcessIdIsNotTheMachine() throws IOException {
    var runningVm = boot("echo up > " + namedPipe.path() + "; exec sleep 1000");
    namedPipe.take();
    runningVm.detach();
    var trace = runningVm.handle();

    var found =
        host("unused")
            .find(spec, new VmHandle(trace.pid(), trace.startTicks() - 1, trace.metadataPort()));

    assertThat(found).isEqualTo(Optional.empty());
    assertThat(runningVm.members()).isEmpty();
  }

  @Test
  void eraseDeletesDiskAndKeepsSerialConsole() throws IOException {
    var runningVm =
        boot("echo precious > file; echo seen; echo up > " + namedPipe.path() + "; sleep 1000");
    namedPipe.take();
    runningVm.cutPower();

    host("unused").erase(spec);

    var machine = folder.resolve("vms/us-central1-a/w-1");
    assertThat(machine.resolve("home")).doesNotExist();
    assertThat(machine.resolve("serial.log")).hasContent("seen");
  }

  @Test
  void machinesEndWithoutTheirCloud() throws IOException {
    boot(
        "(unset HOME; exec setsid sleep 1000) & trap '' TERM HUP INT; echo $! > "
            + namedPipe.path()
            + "; while :; do sleep 1000; done");
    var apart = Long.parseLong(namedPipe.take().strip());

    var left = new MachineProcesses(folder).endAll(Duration.ofSeconds(60));

    assertThat(left).isEmpty();
    assertThat(isAlive(apart)).isFalse();
    assertThat(booted.getFirst().members()).isEmpty();
  }

  @Test
  void otherCloudsMachinesAreLeftAlone() throws IOException {
    var runningVm = boot("echo up > " + namedPipe.path() + "; exec sleep 1000");
    namedPipe.take();

    new MachineProcesses(folder.resolve("other")).endAll(Duration.ofSeconds(60));

    assertThat(runningVm.members()).isNotEmpty();
  }

  @Test
  void bootCommandThatEndsAtOnceWaitsLonger() throws IOException {
    boot("exit 75");

    assertThat(serial(4))
        .containsExactly(
            "The boot command ended with exit code 75; it starts again in 1 s",
            "The boot command ended with exit code 75; it starts again in 2 s",
            "The boot command ended with exit code 75; it starts again in 4 s",
            "The boot command ended with exit code 75; it starts again in 8 s");
  }

  /** Follows the serial console until it has so many lines. */
  private List<String> serial(int lines) throws IOException {
    var file = folder.resolve("vms/us-central1-a/w-1/serial.log").toString();
    var tail = new ProcessBuilder("tail", "-n", "+1", "-f", file).start();
    try (var reader = tail.inputReader()) {
      var read = new ArrayList<String>();
      while (read.size() < lines) read.add(reader.readLine());
      return read;
    } finally {
      tail.destroy();
    }
  }

  private RunningVm boot(String script) throws IOException {
    var runningVm = host(script).boot(spec, "http://127.0.0.1:1");
    booted.add(runningVm);
    return runningVm;
  }

  private Hypervisor host(String script) throws IOException {
    return new Hypervisor(
        folder.resolve("vms"),
        new BootCommand(List.of("/bin/sh", "-c", script)),
        IdentityTokenSigner.load(folder.resolve("key")),
        OwnerToken.random(),
        InstantSource.system(),
        List.of());
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)
        && !state(pid).equals("Z");
  }

  private static String state(long pid) {
    try {
      var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return stat.substring(stat.lastIndexOf(')') + 2).substring(0, 1);
    } catch (IOException gone) {
      return "gone";
    }
  }
}
