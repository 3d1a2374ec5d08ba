package dev.mayfly.agent.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.os.Command;
import dev.mayfly.agent.os.FakePrograms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerEngineTest {
  private static final String IMAGE = "us-docker.pkg.dev/lab/jobs/train@sha256:" + "a".repeat(64);
  @TempDir Path folder;

  private ContainerEngine engine(Map<String, String> environment) {
    var login = new RegistryLogin(folder.resolve("login"), () -> "tok-en");
    return new ContainerEngine(environment, login, List.of("/data"));
  }

  @Test
  void noValueOfTheEnvironmentIsAnArgument() throws Exception {
    var programs = new FakePrograms(folder).with("docker", "");
    var wanted = new ContainerEngine.Wanted(IMAGE, "mayfly-1", 1_500, 1 << 30, List.of(1), false);
    var inside = Map.of("KEY", "canary\nvalue $(x)", "MAYFLY_JOB", "j1");
    var outside =
        new Command(
            List.of("python", "-c", "print('$(x)')", "--privileged"),
            inside,
            folder.resolve("work"),
            folder.resolve("log"));

    var command = engine(programs.alone()).in(wanted, outside, inside, folder.toString());

    assertThat(String.join(" ", command.argv())).doesNotContain("canary").doesNotContain("tok-en");
    assertThat(command.environment()).containsAllEntriesOf(inside);
    assertThat(command.argv())
        .startsWith("docker", "run", "--rm")
        .contains(
            "--env=KEY",
            "--env=MAYFLY_JOB",
            "--cpus=1.500",
            "--memory=1073741824",
            "--gpus=\"device=1\"",
            "--volume=/data:/data",
            "--name",
            "mayfly-1",
            "--volume=" + folder + ":" + folder)
        .doesNotContain("--privileged=true")
        .endsWith(IMAGE, "python", "-c", "print('$(x)')", "--privileged");
  }

  @Test
  void anImageIsPulledOnceWithTheMachinesTokenInAPrivateFile() throws Exception {
    var programs = new FakePrograms(folder);
    programs.with(
        "podman",
        "case $1 in image) [ -e here ];; pull) cat $REGISTRY_AUTH_FILE >"
            + folder
            + "/auth; touch "
            + folder
            + "/pulled;; esac");

    assertThat(engine(programs.environment()).pull(IMAGE, Duration.ofSeconds(20))).isEmpty();

    assertThat(programs.arguments("podman"))
        .containsExactly("image", "inspect", "--", IMAGE, "pull", "--quiet", "--", IMAGE);
    assertThat(folder.resolve("auth")).content().contains("us-docker.pkg.dev");
    var mode = Files.getPosixFilePermissions(folder.resolve("login/config.json"));
    assertThat(PosixFilePermissions.toString(mode)).isEqualTo("rw-------");
  }

  @Test
  void theTokenGoesToNoRegistryButGoogles() {
    var login = new RegistryLogin(folder.resolve("login"), () -> "tok-en");

    for (var other :
        List.of("python:3", "docker.io/x", "evil.example/gcr.io/x", "gcr.io.evil.example/x"))
      assertThat(login.variables(other)).as(other).isEmpty();
    assertThat(login.variables("eu.gcr.io/lab/x")).containsKey("DOCKER_CONFIG");
  }

  @Test
  void aMachineWithoutAnEngineSaysSo() throws Exception {
    assertThat(engine(new FakePrograms(folder).alone()).pull("python:3", Duration.ofSeconds(1)))
        .hasValueSatisfying(
            cause -> assertThat(cause).contains("neither podman nor docker").contains("python:3"));
  }

  @Test
  void anImageThatIsAnOptionIsRefused() throws Exception {
    var programs = new FakePrograms(folder).with("docker", "");

    for (var odd : List.of("--privileged", "-v/:/x", "a b", "x\ny", "$(id)", ""))
      assertThat(engine(programs.alone()).pull(odd, Duration.ofSeconds(1))).as(odd).isPresent();
    assertThat(programs.arguments("docker")).isEmpty();
  }

  @Test
  void aPrivateImageThatMayNotBeReadIsNamed() throws Exception {
    var programs =
        new FakePrograms(folder)
            .with("docker", "case $1 in pull) echo 'denied: permission' >&2;; esac; exit 1");

    assertThat(engine(programs.environment()).pull(IMAGE, Duration.ofSeconds(20)))
        .hasValueSatisfying(cause -> assertThat(cause).contains("does not let this machine read"));
  }
}
