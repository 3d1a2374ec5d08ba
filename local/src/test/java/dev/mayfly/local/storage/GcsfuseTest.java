package dev.mayfly.local.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mayfly.agent.boot.FilestoreLookup;
import dev.mayfly.agent.boot.PreparationPlan;
import dev.mayfly.agent.container.ContainerEngine;
import dev.mayfly.agent.container.RegistryLogin;
import dev.mayfly.agent.machine.MachineGpus;
import dev.mayfly.agent.process.TaskUser;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.MachineReadiness;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.Mount;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The agent's step mounts the laptop's bucket by Google's own gcsfuse, for the user of tasks. Run
 * by {@code .ci/bucket}, which builds gcsfuse; {@link StorageWireTest} has what it needs of the
 * storage.
 */
@Timeout(120)
class GcsfuseTest extends StorageTestCase {
  private static final TaskUser USER =
      new TaskUser("mayfly-task", 47001, 47000, Path.of("/nonexistent"));

  private Path place;
  private String programs;

  @BeforeEach
  void givenGcsfuse() throws IOException {
    programs = System.getenv("MAYFLY_GCSFUSE");
    assumeTrue(programs != null, "gcsfuse is run by .ci/bucket, which builds it");
    assumeTrue(Files.exists(Path.of("/dev/fuse")), "there is no /dev/fuse");
    assumeTrue(Files.isWritable(Path.of("/etc")), "another user's mounts need root");
    bucket();
    // Other users reach no folder of a test.
    place = Files.createTempDirectory("mayfly-bucket");
    assertThat(place.toFile().setExecutable(true, false)).isTrue();
  }

  @AfterEach
  void unmount() throws Exception {
    if (place == null) return;
    new ProcessBuilder("fusermount3", "-u", "-z", place.resolve("data").toString())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
    Files.deleteIfExists(place.resolve("data"));
    Files.delete(place);
  }

  /** What the agent reports of the machine once it has tried. */
  private MachineReadiness mount(String source, boolean readOnly) {
    var mount = new Mount(Mount.Kind.GCS, source, place.resolve("data").toString(), readOnly);
    var environment =
        Map.of("PATH", programs + ":/usr/bin:/bin", "MAYFLY_STORAGE_ENDPOINT", server.url());
    var plan =
        new PreparationPlan(
            Optional.empty(),
            Map.of(),
            List.of(mount),
            Map.of(),
            "w",
            MachineGpus.of(environment, new Resources(1000, 1 << 30, 0, 0), Optional.empty()),
            new FilestoreLookup(server.url(), () -> "demo", () -> ""),
            Optional.of(USER),
            environment);
    var told = new ArrayList<MachineReadiness>();
    var work = Thread.currentThread();
    plan.preparation(
            List.of(),
            engine(environment),
            event -> {
              told.add(((AgentEvent.ReadinessChanged) event).fitness());
              // It would try again for as long as it fails.
              work.interrupt();
            })
        .run();
    assertThat(Thread.interrupted()).isTrue();
    return told.getLast();
  }

  /** What the task user's shell says, both outputs together; each command must succeed. */
  private String asUser(String script) throws Exception {
    var argv = new ArrayList<>(USER.switchCommand());
    // Only a machine of Mayfly's has the user in its list.
    argv.remove("--init-groups");
    argv.add(1, "--clear-groups");
    argv.addAll(List.of("sh", "-ec", script));
    var log = folder.resolve("shell.log");
    var shell =
        new ProcessBuilder(argv)
            .directory(place.resolve("data").toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(shell.waitFor(60, TimeUnit.SECONDS)).isTrue();
    var said = Files.readString(log, StandardCharsets.UTF_8);
    assertThat(shell.exitValue()).as(said).isZero();
    return said;
  }

  @Test
  void taskUserReadsAndWritesObjects() throws Exception {
    put("in/deep/b", "deep\n");

    assertThat(mount("lab", false)).isInstanceOf(MachineReadiness.Ready.class);

    assertThat(asUser("cat in/deep/b; ls in; stat -c '%u %g %a' in/deep/b in"))
        .isEqualTo("deep\ndeep\n47001 47000 664\n47001 47000 775\n");
    asUser("mkdir out; echo 1 >out/a; echo 2 >>out/a; echo x >out/b; echo y >out/b");
    assertThat(text("out/a")).isEqualTo("1\n2\n");
    assertThat(text("out/b")).isEqualTo("y\n");
    asUser("head -c 20000000 /dev/zero >out/large; truncate -s 5 out/large");
    assertThat(storage.get("lab", "out/large").getSize()).isEqualTo(5);
    asUser("mv out/a out/moved; mkdir out/t; echo w >out/t/w; mv out/t out/final; rm out/b");
    assertThat(text("out/moved")).isEqualTo("1\n2\n");
    assertThat(text("out/final/w")).isEqualTo("w\n");
    for (var gone : List.of("out/a", "out/b", "out/t/w"))
      assertThat(storage.get("lab", gone)).as(gone).isNull();
  }

  @Test
  void bucketIsMountedAgainWhenGcsfuseWasKilled() throws Exception {
    put("a", "a");
    assertThat(mount("lab", false)).isInstanceOf(MachineReadiness.Ready.class);
    var path = place.resolve("data");
    var gcsfuse =
        ProcessHandle.allProcesses()
            .filter(process ->
                process.info().commandLine().filter(l -> l.endsWith(path.toString())).isPresent())
            .toList();
    assertThat(gcsfuse).hasSize(1);
    gcsfuse.getFirst().destroyForcibly();
    gcsfuse.getFirst().onExit().get(20, TimeUnit.SECONDS);
    assertThat(Files.exists(path.resolve("a"))).isFalse();

    assertThat(mount("lab", false)).isInstanceOf(MachineReadiness.Ready.class);

    assertThat(asUser("cat a")).isEqualTo("a");
  }

  @Test
  void readOnlyBucketRefusesWrites() throws Exception {
    put("a", "a");

    assertThat(mount("lab", true)).isInstanceOf(MachineReadiness.Ready.class);

    assertThat(asUser("cat a; ! echo b >b; ! rm a")).contains("Read-only file system");
    assertThat(storage.get("lab", "b")).isNull();
  }

  private ContainerEngine engine(Map<String, String> environment) {
    var login = new RegistryLogin(folder, () -> "", reference -> "");
    return new ContainerEngine(environment, login, List.of(), Thread::sleep);
  }
}
