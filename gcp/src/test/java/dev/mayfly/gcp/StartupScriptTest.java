package dev.mayfly.gcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The real script in a real bash. */
class StartupScriptTest {
  @TempDir Path folder;
  private BootSandbox machine;
  private String sha;

  @BeforeEach
  void aBundle() throws Exception {
    machine = new BootSandbox(Files.createDirectories(folder.resolve("root")));
    pack("");
  }

  /** Packs the agent's bundle, which names its architecture if it depends on one. */
  private void pack(String architecture) throws Exception {
    var program = Files.createDirectories(folder.resolve("bundle/bin")).resolve("agent");
    Files.writeString(program, "#!/bin/sh\n");
    program.toFile().setExecutable(true);
    if (!architecture.isEmpty())
      Files.writeString(folder.resolve("bundle/architecture"), architecture + "\n");
    var tar = folder.resolve("bundle.tar.gz");
    var packed =
        new ProcessBuilder("tar", "-czf", tar.toString(), "-C", folder + "/bundle", ".").start();
    assertThat(packed.waitFor(180, TimeUnit.SECONDS)).isTrue();
    var bytes = Files.readAllBytes(tar);
    sha = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    machine.files.put("/bundle.tar.gz", bytes);
    machine.files.put("/storage/v1/b/lab/o/agents%2Fbundle.tar.gz?alt=media", bytes);
    machine.attributes.put("mayfly-bundle-url", machine.url("/bundle.tar.gz"));
    machine.attributes.put("mayfly-bundle-sha256", sha);
  }

  @AfterEach
  void off() {
    machine.close();
  }

  @Test
  void newMachineInstallsAndStartsService() throws Exception {
    assertThat(machine.boot()).as(machine.console()).isZero();

    assertThat(machine.steps())
        .containsExactly("metadata:", "users:", "guard:", "runtime:", "service:");
    assertThat(machine.root.resolve("opt/mayfly/current/bin/agent")).isExecutable();
    assertThat(machine.root.resolve("opt/mayfly/current").toRealPath()).endsWith(Path.of(sha));
    assertThat(machine.root.resolve("etc/systemd/system/mayfly-agent.service"))
        .content()
        .contains("Restart=always", "KillMode=mixed", "OOMScoreAdjust=-900")
        // After a partition the agent exits with 42, and the machine powers off.
        .contains(
            "RestartPreventExitStatus=42",
            "ExecStop=-/opt/mayfly/power-off",
            "ExecStopPost=-/opt/mayfly/power-off")
        // The script installs nothing itself; the agent does, and reports it with its steps.
        .contains("MAYFLY_INSTALLS=yes");
    assertThat(machine.systemctl())
        .containsExactly(
            "daemon-reload", "enable mayfly-agent.service", "start mayfly-agent.service");
  }

  @Test
  void wrongArchitectureBundleIsRefused() throws Exception {
    pack("x86_64");
    machine.program("uname", "echo aarch64");

    assertThat(machine.boot()).isEqualTo(1);
    assertThat(machine.steps().getLast())
        .isEqualTo(
            "runtime:the agent's bundle is for x86_64 and this machine is aarch64: take another"
                + " machine type");
    assertThat(machine.console()).contains("boot step runtime failed", "aarch64");
    assertThat(machine.root.resolve("opt/mayfly/versions/" + sha)).doesNotExist();

    machine.program("uname", "echo x86_64");
    assertThat(machine.boot()).as(machine.console()).isZero();
  }

  @Test
  void agentReadsNamesOfFilesAsUtf8() throws Exception {
    machine.boot();

    assertThat(machine.root.resolve("etc/systemd/system/mayfly-agent.service"))
        .content()
        .contains("\nEnvironment=LC_CTYPE=C.UTF-8\n");
  }

  @Test
  void agentFindsSnapPrograms() throws Exception {
    machine.boot();

    assertThat(machine.root.resolve("etc/systemd/system/mayfly-agent.service"))
        .content()
        .containsPattern("(?m)^Environment=PATH=/usr/local/sbin:.*:/snap/bin$");
  }

  @Test
  void rebootFetchesNothing() throws Exception {
    machine.boot();
    machine.files.clear();

    assertThat(machine.boot()).isZero();
    assertThat(machine.calls.stream().filter("/bundle.tar.gz"::equals)).hasSize(1);
    assertThat(machine.systemctl()).endsWith("start mayfly-agent.service");
  }

  @Test
  void taskUsersHaveFixedIds() throws Exception {
    assertThat(machine.boot()).as(machine.console()).isZero();
    assertThat(machine.boot()).as("again").isZero();

    assertThat(machine.users())
        .containsExactly("mayfly-tasks:47000", "mayfly-task:47001", "mayfly-cloud:47002");
    assertThat(machine.root.resolve("etc/systemd/system/mayfly-agent.service"))
        .content()
        .contains("MAYFLY_TASK_USER=mayfly-task", "MAYFLY_METADATA_USER=mayfly-cloud");
  }

  @Test
  void userWithOtherIdIsNamedFailure() throws Exception {
    Files.writeString(machine.root.resolve("users"), "mayfly-tasks:47000\nmayfly-task:1001\n");

    assertThat(machine.boot()).isEqualTo(1);
    assertThat(machine.steps().getLast())
        .isEqualTo("users:user mayfly-task has the number 1001 and not 47001");
  }

  @Test
  void guardKeepsTasksFromMetadataServer() throws Exception {
    assertThat(machine.boot()).as(machine.console()).isZero();

    assertThat(machine.root.resolve("rules"))
        .content()
        .contains("meta skuid 47001 ip daddr 169.254.169.254")
        .contains("hook forward");
    assertThat(machine.root.resolve("etc/systemd/system/mayfly-agent.service"))
        .content()
        .contains("ExecStartPre=-/opt/mayfly/guard");
  }

  @Test
  void machineWithoutFirewallStillRuns() throws Exception {
    machine.program("nft", "echo 'no such table' >&2; exit 1");

    assertThat(machine.boot()).as(machine.console()).isZero();
    assertThat(machine.console()).contains("no such table");
  }

  @Test
  void partitionedMachinePowersOffDespiteHangs() throws Exception {
    assertThat(machine.boot()).as(machine.console()).isZero();
    Files.delete(machine.root.resolve("systemctl.log"));
    machine.program("timeout", "shift 3; echo \"$@\" >>\"$MAYFLY_ROOT/unmounted\"");
    var mounts = machine.root.resolve("mounts");
    Files.writeString(mounts, "/dev/sda1 / ext4 rw 0 0\n10.0.0.2:/vol /mnt/vol nfs4 rw,hard 0 0\n");
    var table = Map.of("MAYFLY_MOUNTS", mounts.toString());

    assertThat(machine.run("opt/mayfly/power-off", table)).isZero();
    assertThat(machine.systemctl()).as("it was only stopped").isEmpty();

    var off = new HashMap<>(table);
    off.put("EXIT_STATUS", "42");
    assertThat(machine.run("opt/mayfly/power-off", off)).isZero();
    assertThat(machine.systemctl()).containsExactly("--no-block poweroff");
    assertThat(machine.root.resolve("etc/systemd/system/poweroff.target.d/mayfly.conf"))
        .content()
        .contains("JobTimeoutSec=60", "JobTimeoutAction=poweroff-immediate");
  }

  @Test
  void bucketIsReadWithMachineToken() throws Exception {
    machine.attributes.put("mayfly-bundle-url", "gs://lab/agents/bundle.tar.gz");

    assertThat(machine.boot()).as(machine.console()).isZero();
    assertThat(machine.calls)
        .contains("/storage/v1/b/lab/o/agents%2Fbundle.tar.gz?alt=media Bearer ya29.t-o_k");
  }

  @Test
  void bundleWithWrongHashIsNotUnpacked() throws Exception {
    machine.attributes.put("mayfly-bundle-sha256", "0".repeat(64));

    assertThat(machine.boot()).isEqualTo(1);
    assertThat(machine.steps().getLast())
        .isEqualTo(
            "runtime:the bundle's SHA-256 is %s and not %s: it was not unpacked"
                .formatted(sha, "0".repeat(64)));
    assertThat(machine.root.resolve("opt/mayfly/current")).doesNotExist();
    assertThat(machine.systemctl()).isEmpty();
    assertThat(machine.console()).contains("boot step runtime failed");
  }

  @Test
  void missingBundleIsNamedFailure() throws Exception {
    machine.files.clear();

    assertThat(machine.boot()).isEqualTo(1);
    assertThat(machine.steps().getLast()).startsWith("runtime:").contains("404");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$(touch ROOT/owned)",
        "`touch ROOT/owned`",
        "gs://lab/x\"; touch ROOT/owned; \"",
        "gs://lab/x' ; touch ROOT/owned ; '",
        "https://example.org/x\ntouch ROOT/owned",
        "gs://lab/../../x\u0001${IFS}touch",
        "-oProxyCommand=touch ROOT/owned",
        "--output ROOT/owned",
        "file:///etc/passwd\t--next",
        "https://example.org/$(touch${IFS}ROOT/owned)",
        ""
      })
  void metadataValuesAreNeverExecuted(String hostile) throws Exception {
    var value = hostile.replace("ROOT", machine.root.toString());
    for (var key : new String[] {"mayfly-bundle-url", "mayfly-bundle-sha256"}) {
      var before = machine.attributes.put(key, value);

      assertThat(machine.boot()).isEqualTo(1);
      assertThat(machine.steps()).hasSizeLessThanOrEqualTo(4);
      assertThat(machine.steps().getLast()).contains("metadata value " + key);
      assertThat(machine.root.resolve("owned")).doesNotExist();
      assertThat(machine.systemctl()).isEmpty();
      machine.attributes.put(key, before);
    }
  }

  @Test
  void scriptHasNoSubstitutions() {
    assertThat(StartupScript.text()).isEqualTo(StartupScript.text()).startsWith("#!");
    assertThat(StartupScript.text())
        .doesNotContain("{{", "@@", "eval ", "source ", "apt-get install");
  }

  @Test
  void shellcheckFindsNothing() throws IOException, InterruptedException {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/shellcheck")), "shellcheck is not on this machine");
    var script = Files.writeString(folder.resolve("startup.sh"), StartupScript.text());
    var check =
        new ProcessBuilder("/usr/bin/shellcheck", script.toString())
            .redirectErrorStream(true)
            .start();
    var said =
        new String(check.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    assertThat(check.waitFor()).as(said).isZero();
  }
}
