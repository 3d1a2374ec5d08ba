package dev.mayfly.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.os.CloudFolderLock;
import dev.mayfly.local.os.FreePort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The end of a laptop cloud: its machines end with it, whatever became of its processes. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SupervisorTest {
  @TempDir Path home;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private Process machine;

  @AfterEach
  void endMachine() {
    if (machine != null) machine.destroyForcibly();
  }

  /** A process of a machine of which the cloud has no record. */
  private void boot() throws IOException {
    var disk = Files.createDirectories(home.resolve("cloud/vms/us-a/w-1/home"));
    var builder = new ProcessBuilder("setsid", "sleep", "1000");
    builder.environment().put("HOME", disk.toString());
    builder.environment().put("MAYFLY_VM", "4711");
    machine = builder.start();
  }

  private Supervisor supervisor() throws IOException {
    return supervisor("cloud");
  }

  private Supervisor supervisor(String part) throws IOException {
    var port = Integer.toString(FreePort.find());
    var arguments = new String[] {"--only", part, "--no-restart", "--port", port};
    var options = LocalOptions.of(arguments, Map.of("MAYFLY_HOME", home.toString()));
    return new Supervisor(options, new PrintStream(said, true, UTF_8));
  }

  private void killCloud() throws IOException {
    var pid = LocalEndpoints.before(home).orElseThrow().cloudPid();
    var cloud = ProcessHandle.of(pid).orElseThrow();
    cloud.destroyForcibly();
    cloud.onExit().join();
  }

  @Test
  void machinesEndAlsoIfTheirCloudEndedFirst() throws Exception {
    try (var supervisor = supervisor()) {
      supervisor.start();
      boot();
      killCloud();
    }

    assertThat(machine.waitFor(60, SECONDS)).isTrue();
    assertThat(said.toString(UTF_8)).doesNotContain("did not end");
  }

  @Test
  void machinesOfAnotherCloudInTheFolderStay() throws Exception {
    Files.createDirectories(home.resolve("cloud"));
    boot();
    var supervisor = supervisor();
    try (var _ = CloudFolderLock.take(home.resolve("cloud"))) {
      assertThat(catchThrowable(supervisor::start)).hasMessageContaining("did not come up");
    }

    assertThat(machine.isAlive()).isTrue();
    assertThat(said.toString(UTF_8)).contains("Its machines are left alone");
  }

  @ParameterizedTest
  @CsvSource({
    "cloud, cloud/compute/machines/zzz.json, zzz.json is damaged",
    "control, ledger/ledger.db, ledger.db is damaged",
  })
  void damagedFileIsTheReason(String part, String file, String reason) throws Exception {
    Files.createDirectories(home.resolve("logs"));
    Files.createDirectories(home.resolve(file).getParent());
    Files.writeString(home.resolve(file), "this was a file of the cloud once ".repeat(100));
    if (part.equals("control")) OwnerToken.renew(home);

    assertThat(catchThrowable(supervisor(part)::start))
        .hasMessageContaining(reason)
        .hasMessageNotContaining("Exception");
  }

  @Test
  void warningsOfEarlierStartsAreNotRepeated() throws Exception {
    var log = Files.createDirectories(home.resolve("logs")).resolve("cloud.log");
    Files.writeString(log, "2026-01-31T10:00:00Z WARNING Ledger of yesterday\n");

    try (var supervisor = supervisor()) {
      supervisor.start();
    }

    assertThat(said.toString(UTF_8)).doesNotContain("of yesterday");
  }

  @Test
  void secondEndIsNoFailure() throws Exception {
    var supervisor = supervisor();
    supervisor.start();

    supervisor.close();
    supervisor.close();

    assertThat(said.toString(UTF_8)).doesNotContain("does not answer");
  }
}
