package dev.mayfly.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.agent.process.FakePrograms;
import dev.mayfly.agent.process.ProgramRunner;
import dev.mayfly.core.model.cluster.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackageStepTest {
  private static final Mount NFS = new Mount(Mount.Kind.NFS, "10.0.0.2:/vol", "/mnt", false);
  private static final Mount BUCKET = new Mount(Mount.Kind.GCS, "lab", "/data", false);

  @TempDir Path folder;
  private FakePrograms programs;

  @BeforeEach
  void bareMachine() throws IOException {
    programs = new FakePrograms(folder);
    programs.with("dpkg", "exit 0").with("dpkg-query", "exit 1").with("apt-get", "exit 0");
    programs.with("curl", "while [ \"$1\" != --output ]; do shift; done; echo key >\"$2\"");
    Files.createDirectories(root().resolve("etc"));
    Files.writeString(
        root().resolve("etc/os-release"), "NAME=\"Debian GNU/Linux\"\nVERSION_CODENAME=bookworm\n");
  }

  private Optional<PackageStep> step(boolean containers, Mount... mounts) {
    var environment = new HashMap<>(programs.alone());
    return PackageStep.of(containers, List.of(mounts), new ProgramRunner(environment), root());
  }

  private Path root() {
    return folder.resolve("root");
  }

  @Test
  void nothingNeededIsNoStep() throws IOException {
    assertThat(step(false)).isEmpty();

    programs.with("podman", "exit 0").with("mount.nfs", "exit 0").with("gcsfuse", "exit 0");
    assertThat(step(true, NFS, BUCKET)).isEmpty();
  }

  @Test
  void lackingProgramsAreInstalledInOneCall() throws Exception {
    var step = step(true, NFS, BUCKET).orElseThrow();

    step.run();

    assertThat(step.name()).isEqualTo("packages docker.io, apparmor, nfs-common, gcsfuse");
    assertThat(programs.arguments("apt-get"))
        .contains("update")
        .endsWith("install", "--", "docker.io", "apparmor", "nfs-common", "gcsfuse");
  }

  @Test
  void clientOfBucketsComesFromGooglesRepository() throws Exception {
    var step = step(false, BUCKET).orElseThrow();

    step.run();
    step.run();

    assertThat(root().resolve("etc/apt/sources.list.d/mayfly-gcsfuse.list"))
        .hasContent(
            "deb [signed-by=/usr/share/keyrings/mayfly-gcsfuse.asc] https://packages.cloud.google.com/apt gcsfuse-bookworm main");
    assertThat(root().resolve("usr/share/keyrings/mayfly-gcsfuse.asc")).hasContent("key");
    assertThat(programs.arguments("curl").stream().filter("--output"::equals)).hasSize(1);
  }

  @Test
  void repositoryOutOfReachIsNamedAndRetriable() throws Exception {
    programs.with("curl", "echo 'curl: (28) Connection timed out' >&2; exit 28");
    var step = step(false, BUCKET).orElseThrow();

    assertThatThrownBy(step::run)
        .isInstanceOf(PreparationStep.Failed.class)
        .hasMessageContaining("packages.cloud.google.com")
        .hasMessageContaining("Connection timed out")
        .hasMessageContaining("NAT");
    assertThat(root().resolve("usr/share/keyrings/mayfly-gcsfuse.asc")).doesNotExist();

    bareMachine();
    assertThatCode(step::run).doesNotThrowAnyException();
  }

  @Test
  void killedInstallationIsContinued() throws Exception {
    programs.with("docker", "exit 0").with("dpkg-query", "printf half-configured");

    var step = step(true).orElseThrow();
    step.run();

    assertThat(programs.arguments("dpkg")).containsExactly("--configure", "-a");
    programs.with("dpkg-query", "printf installed");
    assertThat(step(true)).isEmpty();
  }

  @Test
  void unreachableMirrorIsNamedAndRetriable() throws Exception {
    programs.with(
        "apt-get",
        """
        case "$*" in
          *update*) echo 'W: Failed to fetch http://deb.debian.org/debian: timed out' ;;
          *) echo 'E: Unable to locate package docker.io'; exit 100 ;;
        esac\
        """);
    var step = step(true).orElseThrow();

    assertThatThrownBy(step::run)
        .isInstanceOf(PreparationStep.Failed.class)
        .hasMessageContaining("Failed to fetch http://deb.debian.org/debian: timed out")
        .hasMessageContaining("NAT")
        .hasMessageContaining("machine.image");

    programs.with("apt-get", "exit 0");
    assertThatCode(step::run).doesNotThrowAnyException();
  }

  @Test
  void imageWithoutPackageManagerIsNamed() throws Exception {
    var other = new FakePrograms(folder.resolve("none"));
    var runner = new ProgramRunner(other.alone());
    var step = PackageStep.of(true, List.of(), runner, root()).orElseThrow();

    assertThatThrownBy(step::run)
        .hasMessageContaining("no apt-get")
        .hasMessageContaining("machine.image");
  }
}
