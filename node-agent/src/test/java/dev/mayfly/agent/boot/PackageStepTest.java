package dev.mayfly.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.agent.process.FakePrograms;
import dev.mayfly.agent.process.ProgramRunner;
import dev.mayfly.core.model.cluster.Mount;
import java.io.IOException;
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
  }

  private Optional<PackageStep> step(boolean containers, Mount... mounts) {
    var environment = new HashMap<>(programs.alone());
    return PackageStep.of(containers, List.of(mounts), new ProgramRunner(environment));
  }

  @Test
  void nothingNeededIsNoStep() throws IOException {
    assertThat(step(false)).isEmpty();
    assertThat(step(false, BUCKET)).isEmpty();

    programs.with("podman", "exit 0").with("mount.nfs", "exit 0");
    assertThat(step(true, NFS)).isEmpty();
  }

  @Test
  void lackingProgramsAreInstalledInOneCall() throws Exception {
    var step = step(true, NFS, BUCKET).orElseThrow();

    step.run();

    assertThat(step.name()).isEqualTo("packages docker.io, apparmor, nfs-common");
    assertThat(programs.arguments("apt-get"))
        .contains("update")
        .endsWith("install", "--", "docker.io", "apparmor", "nfs-common");
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
    var step = PackageStep.of(true, List.of(), new ProgramRunner(other.alone())).orElseThrow();

    assertThatThrownBy(step::run)
        .hasMessageContaining("no apt-get")
        .hasMessageContaining("machine.image");
  }
}
