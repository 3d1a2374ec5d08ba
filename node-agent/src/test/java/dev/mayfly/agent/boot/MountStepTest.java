package dev.mayfly.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.mayfly.agent.process.FakePrograms;
import dev.mayfly.agent.process.ProgramRunner;
import dev.mayfly.agent.process.TaskUser;
import dev.mayfly.core.model.cluster.Mount;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(40)
class MountStepTest {
  private static final FilestoreLookup UNUSED =
      new FilestoreLookup("http://127.0.0.1:1", () -> "lab", () -> "token");

  private static final GcsfuseOptions PLAIN = GcsfuseOptions.of(Optional.empty(), Map.of());

  @TempDir Path folder;
  private ServerSocket server;
  private FakePrograms programs;
  private Path table;

  @BeforeEach
  void aServer() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    programs = new FakePrograms(folder);
    table = Files.writeString(folder.resolve("mounts"), "proc /proc proc rw 0 0\n");
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  private PreparationStep nfs(String source, boolean readOnly) {
    var mount = new Mount(Mount.Kind.NFS, source, folder + "/data", readOnly);
    return new MountStep(
        mount,
        new ProgramRunner(programs.environment()),
        table,
        server.getLocalPort(),
        UNUSED,
        PLAIN);
  }

  @Test
  void nfsMountIsOneCallWithPlainArguments() throws Exception {
    programs.with("mount", "exit 0");

    nfs("127.0.0.1:/vol;$(touch x)", true).run();

    assertThat(programs.arguments("mount"))
        .containsExactly(
            "-t",
            "nfs",
            "-o",
            "ro,hard,noresvport,retry=0",
            "127.0.0.1:/vol;$(touch x)",
            folder + "/data");
    assertThat(folder.resolve("data")).isDirectory();
  }

  @Test
  void serverIsFoundByItsName() throws Exception {
    programs.with("mount", "exit 0");

    nfs("localhost:/vol", false).run();

    assertThat(programs.arguments("mount"))
        .as("the kernel's mount asks DNS too")
        .contains("localhost:/vol");
    assertThatThrownBy(() -> nfs("nfs.invalid:/vol", false).run())
        .isInstanceOf(PreparationStep.Failed.class)
        .hasMessageContaining("NFS server nfs.invalid has no address in DNS");
  }

  @Test
  void filestoreIsMountedByLookedUpAddress() throws Exception {
    programs.with("mount", "exit 0");
    var instance =
        """
        {"name": "projects/lab/locations/z/instances/data", "state": "READY",
         "fileShares": [{"name": "vol"}], "networks": [{"ipAddresses": ["127.0.0.1"]}]}
        """;
    var api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    api.createContext(
        "/",
        exchange -> {
          try (exchange) {
            var bytes = instance.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
          }
        });
    api.start();
    var lookup =
        new FilestoreLookup(
            "http://127.0.0.1:" + api.getAddress().getPort(), () -> "lab", () -> "token");
    var mount =
        new Mount(Mount.Kind.FILESTORE, "z/data", folder + "/data", false, Optional.of("data"));
    var port = server.getLocalPort();
    var runner = new ProgramRunner(programs.environment());

    try {
      new MountStep(mount, runner, table, port, lookup, PLAIN).run();
    } finally {
      api.stop(0);
    }

    assertThat(programs.arguments("mount")).endsWith("127.0.0.1:/vol", folder + "/data");
  }

  @Test
  void mountedFilestoreIsNotLookedUpAgain() throws Exception {
    Files.writeString(table, "10.9.0.2:/vol " + folder + "/data nfs4 rw 0 0\n");
    var mount =
        new Mount(Mount.Kind.FILESTORE, "z/data", folder + "/data", false, Optional.of("data"));
    var runner = new ProgramRunner(programs.environment());

    new MountStep(mount, runner, table, 1, UNUSED, PLAIN).run();

    assertThat(programs.arguments("mount")).isEmpty();
  }

  @Test
  void playedVolumeIsFolder() throws Exception {
    var mount = new Mount(Mount.Kind.NFS, "10.0.0.2:/vol", "/mnt/data", false, Optional.of("data"));
    var played = mount.playedBy(folder + "/volumes/data");
    var runner = new ProgramRunner(programs.alone());

    new MountStep(played, runner, table, 1, UNUSED, PLAIN).run();

    assertThat(folder.resolve("volumes/data")).isDirectory();
  }

  @Test
  void existingMountIsKept() throws Exception {
    Files.writeString(table, "127.0.0.1:/vol " + folder + "/data nfs4 rw 0 0\n");

    nfs("127.0.0.1:/vol", false).run();

    assertThat(programs.arguments("mount")).isEmpty();
  }

  @Test
  void closedPortIsNamedAtOnce() throws Exception {
    programs.with("mount", "exit 0");
    var preparationStep = nfs("127.0.0.1:/vol", false);
    server.close();

    assertThatThrownBy(preparationStep::run)
        .isInstanceOf(PreparationStep.Failed.class)
        .hasMessageContaining("refuses port")
        .hasMessageContaining("no NFS server runs there");
    assertThat(programs.arguments("mount")).isEmpty();
  }

  /** Like a firewall: with two waiting callers, the kernel answers no third. */
  @Test
  @Timeout(30)
  void silentPortIsNamedWithinThirtySeconds() throws Exception {
    programs.with("mount", "exit 0");
    var port = server.getLocalPort();
    try (var first = new Socket(server.getInetAddress(), port);
        var second = new Socket(server.getInetAddress(), port)) {
      assertThat(first.isConnected() && second.isConnected()).isTrue();

      assertThatThrownBy(() -> nfs("127.0.0.1:/vol", false).run())
          .isInstanceOf(PreparationStep.Failed.class)
          .hasMessageContaining("port " + port + " of NFS server 127.0.0.1 does not answer")
          .hasMessageContaining("a firewall, or another VPC; allow tcp:" + port);
    }
    assertThat(programs.arguments("mount")).isEmpty();
  }

  @Test
  void hostWithoutAddressIsNamed() {
    assertThatThrownBy(() -> nfs("no-such-host.invalid:/vol", false).run())
        .hasMessageContaining("no address in DNS");
  }

  @ParameterizedTest
  @CsvSource({
    "mount.nfs: mounting failed with No such file or directory,no such export",
    "mount.nfs: access denied by server while mounting,export rules",
    "bad option; for several filesystems you might need a helper program,nfs-common",
    "mount.nfs: something else,something else"
  })
  void mountOutputBecomesACause(String output, String cause) throws Exception {
    programs.with("mount", "echo '" + output + "' >&2; exit 32");

    assertThatThrownBy(() -> nfs("127.0.0.1:/vol", false).run()).hasMessageContaining(cause);
  }

  @Test
  void missingGcsfuseIsNamed() throws Exception {
    var mount = new Mount(Mount.Kind.GCS, "lab", folder + "/lab", true);
    var programRunner = new ProgramRunner(programs.alone());
    var step = new MountStep(mount, programRunner, table, 2049, UNUSED, PLAIN);

    assertThatThrownBy(step::run).hasMessageContaining("no program gcsfuse");

    programs.with("gcsfuse", "exit 0");
    step.run();
    assertThat(programs.arguments("gcsfuse"))
        .isEqualTo(
            List.of(
                "--implicit-dirs",
                "--rename-dir-limit=200000",
                "-o",
                "ro",
                "lab",
                folder + "/lab"));
  }

  @ParameterizedTest
  @CsvSource({
    "storageLayout call failed: rpc error: code = NotFound desc = The specified bucket does not exist.,there is no such bucket",
    "storageLayout call failed: rpc error: code = PermissionDenied desc = w@lab lacks storage.objects.list,service account may not read it",
    "googleapi: Error 403: w@lab does not have access,service account may not read it"
  })
  void bucketOutputBecomesACause(String output, String cause) throws Exception {
    programs.with("gcsfuse", "echo '" + output + "' >&2; exit 1");
    var mount = new Mount(Mount.Kind.GCS, "lab", folder + "/lab", true);
    var runner = new ProgramRunner(programs.environment());

    assertThatThrownBy(() -> new MountStep(mount, runner, table, 1, UNUSED, PLAIN).run())
        .hasMessageContaining("bucket lab: ")
        .hasMessageContaining(cause);
  }

  /** What does not answer is no folder any more, as far as the agent can see. */
  @Test
  void bucketWhoseClientEndedIsMountedAgain() throws Exception {
    programs.with("gcsfuse", "exit 0");
    programs.with("fusermount3", "exit 0");
    Files.writeString(table, "lab " + folder + "/lab fuse.gcsfuse rw 0 0\n");
    var mount = new Mount(Mount.Kind.GCS, "lab", folder + "/lab", false);
    var runner = new ProgramRunner(programs.alone());

    new MountStep(mount, runner, table, 1, UNUSED, PLAIN).run();
    assertThat(programs.arguments("fusermount3"))
        .containsExactly("-u", "-z", "--", folder + "/lab");
    assertThat(programs.arguments("gcsfuse")).endsWith("lab", folder + "/lab");

    programs.with("gcsfuse", "exit 1");
    new MountStep(mount, runner, table, 1, UNUSED, PLAIN).run();
  }

  @Test
  void bucketOfAnotherServiceIsMountedFromThere() {
    var mount = new Mount(Mount.Kind.GCS, "lab", "/mnt/lab", false);
    var named = Map.of("MAYFLY_STORAGE_ENDPOINT", "http://127.0.0.1:8420/");
    var known = new HashMap<>(named);
    known.put("MAYFLY_STORAGE_TOKEN", "t");

    assertThat(GcsfuseOptions.of(Optional.empty(), named).command(mount))
        .contains(
            "--custom-endpoint=http://127.0.0.1:8420/storage/v1/",
            "--enable-hns=false",
            "--anonymous-access")
        .endsWith("lab", "/mnt/lab");
    assertThat(GcsfuseOptions.of(Optional.empty(), known).command(mount))
        .as("the metadata server has the token")
        .doesNotContain("--anonymous-access");
  }

  @Test
  void bucketFilesBelongToTaskUser() throws Exception {
    programs.with("gcsfuse", "exit 0");
    var user = new TaskUser("mayfly-task", 47001, 47000, Path.of("/home/mayfly-task"));
    var mount = new Mount(Mount.Kind.GCS, "lab", folder + "/lab", false);

    var gcsfuse = GcsfuseOptions.of(Optional.of(user), Map.of());
    new MountStep(mount, new ProgramRunner(programs.alone()), table, 2049, UNUSED, gcsfuse).run();

    assertThat(programs.arguments("gcsfuse"))
        .contains("allow_other", "--uid=47001", "--gid=47000")
        .endsWith("lab", folder + "/lab");
  }

  @Test
  void sourceLikeAnOptionIsRejected() throws Exception {
    programs.with("gcsfuse", "exit 0");
    var mount = new Mount(Mount.Kind.GCS, "-oProxyCommand=touch x", folder + "/lab", false);

    assertThatThrownBy(() ->
            new MountStep(mount, new ProgramRunner(programs.alone()), table, 1, UNUSED, PLAIN)
                .run())
        .hasMessageContaining("cannot be mounted");
    assertThat(programs.arguments("gcsfuse")).isEmpty();
  }

  @Test
  void hangingProgramIsKilledWithChildren() throws Exception {
    programs.with("slow", "sleep 600 & wait");

    assertThat(
            new ProgramRunner(programs.environment())
                .run(java.time.Duration.ofMillis(200), List.of("slow")))
        .isInstanceOf(ProgramRunner.Result.TimedOut.class);
  }
}
