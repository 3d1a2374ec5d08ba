package dev.mayfly.local.cloud.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.local.guard.OwnerToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
class VmHostTest {
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
          Map.of());
  private final List<Vm> booted = new ArrayList<>();
  private Fifo fifo = new Fifo(Path.of("/nowhere"));

  @BeforeEach
  void pipe() throws IOException, InterruptedException {
    fifo = Fifo.make(folder.resolve("said"));
  }

  @AfterEach
  void powerOff() {
    booted.forEach(Vm::cutPower);
  }

  @Test
  void theBootCommandSeesNothingOfTheHostButItsPath() throws IOException {
    boot("env | cut -d= -f1 | sort | tr '\\n' ' ' > " + fifo.path() + "; exec sleep 1000");

    assertThat(fifo.take().split(" "))
        .containsExactlyInAnyOrder(
            "GCE_METADATA_HOST",
            "GOOGLE_CLOUD_PROJECT",
            "HOME",
            "LANG",
            "MAYFLY_BOOT_ID",
            "MAYFLY_STORAGE_ENDPOINT",
            "MAYFLY_STORAGE_TOKEN",
            "MAYFLY_VM",
            "MAYFLY_VM_CPUS",
            "MAYFLY_VM_MEMORY_MB",
            "MAYFLY_VM_TMP",
            "PATH",
            "PWD",
            "TMPDIR");
  }

  @Test
  void aPowerCutKillsChildrenThatHaveASessionOfTheirOwnAndDroppedTheirEnvironment()
      throws IOException {
    var vm =
        boot(
            "setsid sh -c 'trap \"\" TERM HUP; echo $$ > a; sleep 1000' & "
                + "setsid env -i sleep 1001 & echo $! > b; (setsid sleep 1002 & echo $! > c);"
                + "until [ -s a ]; do :; done; cat a b c > "
                + fifo.path()
                + "; wait");
    var pids = fifo.take().lines().map(Long::valueOf).toList();
    assertThat(vm.members()).containsAll(pids).hasSizeGreaterThan(4);

    vm.cutPower();

    assertThat(pids).hasSize(3).noneMatch(VmHostTest::isAlive);
    assertThat(vm.members()).isEmpty();
  }

  @Test
  void aFrozenMachineStandsStillUntilItIsThawed() throws IOException {
    var vm = boot("echo $$ > " + fifo.path() + "; exec sleep 1000");
    var pid = Long.parseLong(fifo.take());

    vm.freeze();
    assertThat(state(pid)).isEqualTo("T");

    vm.thaw();
    assertThat(state(pid)).isNotEqualTo("T");
  }

  @Test
  void aFrozenMachineCanLoseItsPower() throws IOException {
    var vm = boot("echo $$ > " + fifo.path() + "; exec sleep 1000");
    var pid = Long.parseLong(fifo.take());
    vm.freeze();

    vm.cutPower();

    assertThat(isAlive(pid)).isFalse();
  }

  @Test
  void aBootCommandThatEndsIsStartedAgainOnTheSameBoot() throws IOException {
    boot("echo $MAYFLY_BOOT_ID > " + fifo.path());

    var first = fifo.take();
    assertThat(fifo.take()).isEqualTo(first).hasSize(36);
  }

  @Test
  void exitCode42SwitchesTheMachineOff() throws Exception {
    var vm = boot("cat " + fifo.path() + "; exit 42");

    Files.writeString(fifo.path(), "go\n");

    var off = new CountDownLatch(1);
    vm.whenOff(off::countDown);
    assertThat(off.await(120, TimeUnit.SECONDS)).isTrue();
    vm.cutPower();
    assertThat(vm.members()).isEmpty();
    assertThat(folder.resolve("vms/us-central1-a/w-1/serial.log")).hasContent("go");
  }

  @Test
  void aMachineIsFoundAgainOnTheSameMetadataPort() throws IOException {
    var vm = boot("echo up > " + fifo.path() + "; exec sleep 1000");
    fifo.take();
    vm.release();

    var found = host("unused").find(spec, vm.trace());

    found.ifPresent(booted::add);
    assertThat(found.map(Vm::trace)).contains(vm.trace());
    assertThat(found.map(Vm::members)).contains(vm.members());
  }

  @Test
  void aRecycledProcessIdIsNotTheMachine() throws IOException {
    var vm = boot("echo up > " + fifo.path() + "; exec sleep 1000");
    fifo.take();
    vm.release();
    var trace = vm.trace();

    var found =
        host("unused")
            .find(spec, new VmTrace(trace.pid(), trace.startTicks() - 1, trace.metadataPort()));

    assertThat(found).isEqualTo(Optional.empty());
    assertThat(vm.members()).isEmpty();
  }

  @Test
  void erasingTakesTheDiskAndLeavesTheSerialConsole() throws IOException {
    var vm = boot("echo precious > file; echo seen; echo up > " + fifo.path() + "; sleep 1000");
    fifo.take();
    vm.cutPower();

    host("unused").erase(spec);

    var machine = folder.resolve("vms/us-central1-a/w-1");
    assertThat(machine.resolve("home")).doesNotExist();
    assertThat(machine.resolve("serial.log")).hasContent("seen");
  }

  private Vm boot(String script) throws IOException {
    var vm = host(script).boot(spec, "http://127.0.0.1:1");
    booted.add(vm);
    return vm;
  }

  private VmHost host(String script) throws IOException {
    return new VmHost(
        folder.resolve("vms"),
        new BootCommand(List.of("/bin/sh", "-c", script)),
        IdentityTokens.load(folder.resolve("key")),
        OwnerToken.random(),
        InstantSource.system());
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
