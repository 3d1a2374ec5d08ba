package dev.mayfly.agent.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.process.FakePrograms;
import dev.mayfly.agent.process.ProcessCommand;
import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.job.PinnedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerEngineTest {
  private static final String IMAGE = "us-docker.pkg.dev/lab/jobs/train@sha256:" + "a".repeat(64);
  private static final Duration LIMIT = Duration.ofMinutes(2);
  @TempDir Path folder;

  private ContainerEngine engine(Map<String, String> environment) {
    return new ContainerEngine(environment, login(), List.of("/data"), time -> {});
  }

  private RegistryLogin login() {
    return new RegistryLogin(folder.resolve("login"), () -> "tok-en", reference -> "ann:canary");
  }

  @Test
  void environmentValuesAreNotArguments() throws Exception {
    var programs = new FakePrograms(folder).with("docker", "");
    var containerSpec =
        new ContainerEngine.ContainerSpec(
            IMAGE, "mayfly-1", 1_500, 1 << 30, List.of(1), false, Optional.empty());
    var inside = Map.of("KEY", "canary\nvalue $(x)", "MAYFLY_JOB", "j1");
    var outside =
        new ProcessCommand(
            List.of("python", "-c", "print('$(x)')", "--privileged"),
            inside,
            folder.resolve("work"),
            folder.resolve("log"));

    var processCommand =
        engine(programs.alone()).wrap(containerSpec, outside, inside, folder.toString());

    assertThat(String.join(" ", processCommand.argv()))
        .doesNotContain("canary")
        .doesNotContain("tok-en");
    assertThat(processCommand.environment()).containsAllEntriesOf(inside);
    assertThat(processCommand.argv())
        .startsWith("docker", "run")
        .contains(
            "--env=KEY",
            "--env=MAYFLY_JOB",
            "--cpus=1.500",
            "--memory=1073741824",
            "--pids-limit=" + dev.mayfly.agent.process.ProcessLimit.ofMachine(),
            "--gpus=\"device=1\"",
            "--volume=/data:/data",
            "--name",
            "mayfly-1",
            "--volume=" + folder + "/work:" + folder + "/work",
            "--volume=" + folder + "/notice:" + folder + "/notice:ro")
        .doesNotContain("--volume=" + folder + ":" + folder)
        .doesNotContain("--privileged=true")
        .endsWith(IMAGE, "python", "-c", "print('$(x)')", "--privileged");
  }

  @Test
  void imageIsPulledOnceWithPrivateToken() throws Exception {
    var programs = new FakePrograms(folder);
    programs.with(
        "podman",
        "cd "
            + folder
            + "; case $1 in image) exit 1;; pull) cat $REGISTRY_AUTH_FILE >auth;"
            + " ls -ld $DOCKER_CONFIG/config.json $DOCKER_CONFIG | cut -c1-10 >mode;; esac");

    assertThat(engine(programs.environment()).pull(IMAGE, Map.of(), LIMIT).cause()).isEmpty();

    assertThat(programs.arguments("podman"))
        .containsExactly(
            "image", "inspect", ImageDigests.FORMAT, "--", IMAGE, "pull", "--quiet", "--", IMAGE);
    assertThat(folder.resolve("auth"))
        .content()
        .isEqualTo("{\"auths\":{" + entry("us-docker.pkg.dev", "oauth2accesstoken:tok-en") + "}}");
    assertThat(Files.readAllLines(folder.resolve("mode")))
        .containsExactlyInAnyOrder("-rw-------", "drwx------");
    assertThat(folder.resolve("login")).isEmptyDirectory();
  }

  private static String entry(String name, String pair) {
    var auth = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    return "\"" + name + "\":{\"auth\":\"" + auth + "\"}";
  }

  private String opened(String image, Map<String, String> logins) throws IOException {
    try (var open = login().open(image, logins)) {
      var file = open.variables().get("REGISTRY_AUTH_FILE");
      return file == null ? "" : Files.readString(Path.of(file));
    }
  }

  @Test
  void tokenGoesToGoogleRegistriesOnly() throws Exception {
    for (var other :
        List.of("python:3", "docker.io/x", "evil.example/gcr.io/x", "gcr.io.evil.example/x"))
      assertThat(opened(other, Map.of())).as(other).isEmpty();
    assertThat(opened("eu.gcr.io/lab/x", Map.of())).contains("\"eu.gcr.io\"");
  }

  @Test
  void loginGoesOnlyToItsHost() throws Exception {
    var logins = Map.of("docker.io", "hub/latest", "registry.lab:5000", "lab/2");
    var hub =
        entry("https://index.docker.io/v1/", "ann:canary") + "," + entry("docker.io", "ann:canary");

    for (var image : List.of("ubuntu", "lab/x:1", "docker.io/lab/x", "index.docker.io/lab/x"))
      assertThat(opened(image, logins)).as(image).isEqualTo("{\"auths\":{" + hub + "}}");
    for (var host : List.of("registry.lab:5000", "Registry.Lab:5000"))
      assertThat(opened(host + "/x:1", logins))
          .isEqualTo("{\"auths\":{" + entry(host, "ann:canary") + "}}");
    for (var image :
        List.of("registry.lab/x", "registry.lab:5001/x", "localhost/x", "evil.example/docker.io/x"))
      assertThat(opened(image, logins)).as(image).isEmpty();
  }

  @Test
  void runningContainerHasNoLogin() throws Exception {
    var programs = new FakePrograms(folder).with("docker", "");
    var outside = new ProcessCommand(List.of("true"), Map.of(), folder, folder.resolve("log"));
    var containerSpec =
        new ContainerEngine.ContainerSpec(
            IMAGE, "mayfly-1", 0, 0, List.of(), false, Optional.empty());

    var processCommand =
        engine(programs.alone()).wrap(containerSpec, outside, Map.of(), folder.toString());

    assertThat(processCommand.environment())
        .doesNotContainKeys("DOCKER_CONFIG", "REGISTRY_AUTH_FILE");
    assertThat(processCommand.argv()).contains("--pull=never");
    assertThat(folder.resolve("login")).doesNotExist();
  }

  @Test
  void localImageIsUsedWithoutRegistry() throws Exception {
    var programs =
        new FakePrograms(folder)
            .with("docker", "case $1 in image) echo '[]';; pull) echo 'denied' >&2; exit 1;; esac");

    for (var i = 0; i < 2; i++)
      assertThat(engine(programs.alone()).pullFor("j1", "mine:1", Map.of(), LIMIT))
          .isEqualTo(new PullResult.Present(Optional.empty()));
  }

  @Test
  void digestOfNamedRegistryIsChosen() {
    var a = "sha256:" + "a".repeat(64);
    var b = "sha256:" + "b".repeat(64);
    var printed = "[\"other.example/x@%s\",\"docker.io/library/x@%s\"]".formatted(a, b);

    for (var image : List.of("x", "x:1", "docker.io/x:1", "docker.io/library/x:2"))
      assertThat(ImageDigests.of(image, printed)).contains(new PinnedImage(image, b));
    assertThat(ImageDigests.of("other.example/x:1", printed).orElseThrow().digest()).isEqualTo(a);
    assertThat(ImageDigests.of("[x@" + b + "]", "[\"x@sha256:short\"]")).isEmpty();
    for (var image : List.of("lab/x:1", "other.example:5000/x", "other.example/x/x"))
      assertThat(ImageDigests.of(image, printed)).as(image).isEmpty();
  }

  @Test
  void missingEngineIsNamed() throws Exception {
    assertThat(engine(new FakePrograms(folder).alone()).pull("python:3", Map.of(), LIMIT).cause())
        .hasValueSatisfying(
            cause -> assertThat(cause).contains("neither podman nor docker").contains("python:3"));
  }

  @Test
  void unavailableLoginIsAFailureCause() throws Exception {
    var programs = new FakePrograms(folder).with("docker", "exit 1");
    var login =
        new RegistryLogin(
            folder.resolve("login"),
            () -> {
              throw new UnavailableException("the metadata server does not answer");
            },
            reference -> {
              throw new DeniedException("secret " + reference + ": may not be read");
            });
    var engine = new ContainerEngine(programs.alone(), login, List.of(), time -> {});

    assertThat(engine.pull(IMAGE, Map.of(), LIMIT))
        .isEqualTo(
            new PullResult.Failed("image " + IMAGE + ": the metadata server does not answer"));
    assertThat(engine.pull("ghcr.io/x:1", Map.of("ghcr.io", "s/latest"), LIMIT))
        .isEqualTo(new PullResult.Failed("image ghcr.io/x:1: secret s/latest: may not be read"));
    assertThat(programs.arguments("docker")).doesNotContain("pull");
  }

  @Test
  void imageLikeAnOptionIsRejected() throws Exception {
    var programs = new FakePrograms(folder).with("docker", "");

    for (var odd : List.of("--privileged", "-v/:/x", "a b", "x\ny", "$(id)", ""))
      assertThat(engine(programs.alone()).pull(odd, Map.of(), LIMIT).cause()).as(odd).isPresent();
    assertThat(programs.arguments("docker")).isEmpty();
  }

  @Test
  void unreadablePrivateImageIsNamed() throws Exception {
    var programs =
        new FakePrograms(folder)
            .with("docker", "case $1 in pull) echo 'denied: permission' >&2;; esac; exit 1");

    assertThat(engine(programs.alone()).pull(IMAGE, Map.of(), LIMIT).cause())
        .hasValueSatisfying(cause -> assertThat(cause).contains("does not let this machine read"));
  }

  @Test
  void asksEngineWhyContainerEnded() throws Exception {
    var programs =
        new FakePrograms(folder)
            .with("docker", "case $4 in fat) echo true;; thin) echo false;; *) exit 1;; esac");
    var engine = engine(programs.alone());

    assertThat(engine.ranOutOfMemory("fat")).isTrue();
    assertThat(engine.ranOutOfMemory("thin")).isFalse();
    assertThat(engine.ranOutOfMemory("gone")).isFalse();
    assertThat(programs.arguments("docker"))
        .startsWith("inspect", "--format={{.State.OOMKilled}}", "--", "fat");
  }

  @Test
  void earlierAgentsContainersAreRemovedBeforePull() throws Exception {
    var programs =
        new FakePrograms(folder)
            .with("docker", "case $1 in ps) echo 'mayfly-ab-1 mayfly-ab-2 my-mayfly-ab-3';; esac");
    var engine = engine(programs.alone());

    engine.removeAll("mayfly-ab-", Runnable::run);

    assertThat(programs.arguments("docker"))
        .contains("mayfly-ab-1", "mayfly-ab-2")
        .doesNotContain("my-mayfly-ab-3");
  }

  @Test
  void containerRemovalIsRetried() throws Exception {
    var programs =
        new FakePrograms(folder)
            .with(
                "podman",
                "[ -e %1$s ] || { : >%1$s; echo 'conmon exited prematurely'; exit 125; }"
                    .formatted(folder.resolve("tried")))
            .with("docker", "echo 'Error: No such container: mayfly-1' >&2; exit 1");

    engine(programs.alone()).remove("mayfly-1");
    Files.delete(folder.resolve("podman"));
    engine(programs.alone()).remove("mayfly-1");

    assertThat(programs.arguments("podman").stream().filter("rm"::equals)).hasSize(2);
    assertThat(programs.arguments("docker").stream().filter("rm"::equals)).hasSize(1);
  }

  @Test
  void limitsRespectEngineMinimums() throws Exception {
    var programs = new FakePrograms(folder);
    var outside = new ProcessCommand(List.of("true"), Map.of(), folder, folder.resolve("log"));
    programs.with("docker", "");
    var small =
        new ContainerEngine.ContainerSpec(
            IMAGE, "mayfly-1", 5, 1 << 20, List.of(), false, Optional.empty());

    assertThat(engine(programs.alone()).wrap(small, outside, Map.of(), folder.toString()).argv())
        .contains("--cpus=0.010", "--memory=6291456");
  }
}
