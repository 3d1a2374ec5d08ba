package dev.mayfly.cli.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ImageBuildTest {
  private static final String DIGEST = "sha256:" + "a".repeat(64);
  private static final String US = "us-central1-docker.pkg.dev/lab/job/base:7";
  private static final String EU = "europe-west4-docker.pkg.dev/lab/job/base:7";

  /** Pushes as podman does: the digest goes into a file. */
  private static final String PODMAN =
      """
      for word; do
        case $word in
          --digestfile=*) printf %s sha256:DIGEST >"${word#*=}" ;;
          --file=*) cp "${word#*=}" "${calls%/*}/built" ;;
        esac
      done
      """
          .replace("sha256:DIGEST", DIGEST);

  @TempDir Path folder;
  private StandIn standIn;
  private Path programs;
  private Path cluster;

  @BeforeEach
  void start() throws IOException {
    programs = Files.createDirectory(folder.resolve("programs"));
    standIn = new StandIn(programs);
    standIn.program("podman", PODMAN);
    cluster = file("cluster.yaml", cluster("projects/lab/global/images/family/own"));
  }

  private static String cluster(String bootImage) {
    return """
    apiVersion: mayfly.dev/v1
    kind: Cluster
    name: lab
    bucket: gs://lab
    image: "%s" # of all jobs
    mirrors: {europe-west4: europe-west4-docker.pkg.dev/lab/job}
    pools:
      - name: gpu
        machine: {type: g2-standard-4, image: %s}
        zones: [us-central1-a, europe-west4-b]
        workers: {max: 1}
    """
        .formatted(US, bootImage);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void recipeIsBuiltPushedEverywhereAndPinned() throws IOException {
    var recipe = file("image.yaml", "{cuda: 12.4, apt: [git], pip: [\"torch>=2.4,<3\"]}");

    assertThat(
            standIn.mayfly("image", "build", recipe.toString(), "-f", cluster.toString(), "--pin"))
        .as(standIn.said())
        .isZero();

    var calls = standIn.calls();
    assertThat(calls).hasSize(4);
    assertThat(calls.get(0))
        .startsWith("podman", "build", "--platform=linux/amd64")
        .contains("--tag=" + US, "--tag=" + EU);
    assertThat(calls.get(1)).startsWith("podman", "push").endsWith(US);
    assertThat(calls.get(2)).containsExactly("podman", "tag", US, EU);
    assertThat(calls.get(3)).startsWith("podman", "push").endsWith(EU);
    assertThat(standIn.said()).contains(US + "@" + DIGEST, EU + "@" + DIGEST);
    assertThat(Files.readString(cluster))
        .isEqualTo(cluster("projects/lab/global/images/family/own").replace(US, US + "@" + DIGEST));
    assertThat(Files.readString(programs.resolve("built")))
        .contains(
            "FROM nvidia/cuda:12.4.1-cudnn-runtime-ubuntu22.04\n",
            "install -y --no-install-recommends git &&",
            "RUN [\"uv\", \"pip\", \"install\", \"--no-cache\", \"--\", \"torch>=2.4,<3\"]\n");
  }

  @Test
  void pinnedImageIsBuiltAgainByItsTag() throws IOException {
    Files.writeString(
        cluster, Files.readString(cluster).replace(US, US + "@sha256:" + "b".repeat(64)));
    file("image.yaml", "{pip: [numpy]}");

    assertThat(
            standIn.mayfly("image", "build", folder.toString(), "-f", cluster.toString(), "--pin"))
        .as(standIn.said())
        .isZero();
    assertThat(Files.readString(cluster)).contains(US + "@" + DIGEST + "\" # of all jobs");
  }

  @Test
  void driverThatIsTooOldRefusesCuda() throws IOException {
    var old = file("old.yaml", cluster("projects/lab/global/images/family/common-nvidia-470"));
    var some = file("some.yaml", cluster("projects/lab/global/images/family/common-nvidia-535"));
    var recipe = file("image.yaml", "{cuda: \"12.8\"}").toString();

    assertThat(standIn.mayfly("image", "build", recipe, "-f", old.toString())).isEqualTo(2);
    assertThat(standIn.said())
        .contains(
            "pool gpu: CUDA 12.8 needs NVIDIA's driver 525 or newer", "has 470", "machine.image");
    assertThat(standIn.calls()).isEmpty();
    assertThat(standIn.mayfly("image", "build", recipe, "-f", some.toString())).isZero();
    assertThat(standIn.said())
        .contains("runs with its driver 535, without what came with driver 570");
    assertThat(standIn.mayfly("image", "build", recipe, "-f", cluster.toString())).isZero();
    assertThat(standIn.said()).contains("pool gpu: its driver is not known");
  }

  @Test
  void dockerfileOfNvidiaIsCheckedToo() throws IOException {
    var old = file("old.yaml", cluster("projects/lab/global/images/family/common-nvidia-470"));
    file("Dockerfile", "FROM python:3.12 AS build\nFROM nvidia/cuda:13.0.1-base-ubuntu24.04\n");

    assertThat(standIn.mayfly("image", "build", folder.toString(), "-f", old.toString()))
        .isEqualTo(2);
    assertThat(standIn.said()).contains("CUDA 13.0 needs NVIDIA's driver 580");
  }

  @Test
  void allErrorsOfRecipeAreToldWithLines() throws IOException {
    var recipe =
        file(
            "image.yaml",
            """
            bass: ubuntu:22.04
            cuda: 12.5
            python: "3.12; rm -rf /"
            apt: ["git && curl", "--purge"]
            pip: ["torch; os_name", "-r/etc/passwd", "a\\nRUN id"]
            requirements: ../../etc/passwd
            """);

    assertThat(standIn.mayfly("image", "build", recipe.toString(), "--print")).isEqualTo(2);

    assertThat(standIn.said().lines().toList())
        .hasSize(9)
        .anySatisfy(l -> assertThat(l).contains("image.yaml:1: bass", "did you mean 'base'"))
        .anySatisfy(l -> assertThat(l).contains("image.yaml:2: cuda", "'12.5'", "12.4, 12.6"))
        .anySatisfy(l -> assertThat(l).contains("image.yaml:3: python"))
        .anySatisfy(l -> assertThat(l).contains("image.yaml:4: apt", "--purge"))
        .anySatisfy(l -> assertThat(l).contains("image.yaml:6: requirements"));
  }

  @Test
  void plainPythonNeedsNoOtherInterpreter() throws IOException {
    file("requirements.txt", "numpy\n");
    var recipe = file("image.yaml", "{python: 3.11, requirements: requirements.txt}");

    assertThat(standIn.mayfly("image", "build", recipe.toString(), "--print")).isZero();
    assertThat(standIn.said())
        .isEqualTo(
            """
            FROM python:3.11-slim
            COPY ["requirements.txt", "/tmp/requirements.txt"]
            RUN ["python3", "-m", "pip", "install", "--no-cache-dir", "-r", "/tmp/requirements.txt"]
            """);
  }

  @Test
  void cloudBuildGetsOneOrderForAllCopies() throws IOException {
    standIn.with("MAYFLY_PROJECT", "lab-batch");
    standIn.program(
        "gcloud",
        """
        for word; do case $word in --config=*) cp "${word#*=}" "${calls%%/*}/config" ;; esac; done
        [ "$1" = builds ] || echo %s
        """
            .formatted(DIGEST));
    file("Dockerfile", "FROM debian:12\n");

    assertThat(
            standIn.mayfly(
                "image",
                "build",
                folder.toString(),
                "-f",
                cluster.toString(),
                "--engine",
                "cloud-build",
                "-o",
                "json"))
        .as(standIn.said())
        .isZero();

    assertThat(standIn.calls().getFirst())
        .startsWith("gcloud", "builds", "submit", folder.toString())
        .contains("--region=us-central1", "--project=lab-batch", "--quiet");
    assertThat(standIn.calls().get(1))
        .startsWith("gcloud", "artifacts", "docker", "images", "describe", US);
    assertThat(Files.readString(programs.resolve("config")))
        .contains("\"--file=Dockerfile\"", "\"images\": [\"" + US + "\", \"" + EU + "\"]");
    assertThat(standIn.said()).contains("{\"image\":\"" + US + "\",\"digest\":\"" + DIGEST + "\"}");
  }

  @Test
  void dryRunPrintsCommandsAndRunsNone() throws IOException {
    file("Dockerfile", "FROM debian:12\n");

    assertThat(
            standIn.mayfly(
                "image",
                "build",
                folder.toString(),
                "-f",
                cluster.toString(),
                "--push",
                "--dry-run"))
        .isZero();
    assertThat(standIn.said()).contains("'build'", "'--tag=" + US + "'", "'push'", "'tag'");
    assertThat(standIn.calls()).isEmpty();
  }

  @Test
  void templateIsPushedToEachRegion() throws IOException {
    var template = "REGION-docker.pkg.dev/lab/job/base:7";
    assertThat(
            standIn.mayfly(
                "image", "push", template, "--region", "us-central1", "--region", "europe-west4"))
        .as(standIn.said())
        .isZero();
    assertThat(standIn.calls().stream().map(List::getLast)).containsExactly(US, EU, EU);

    assertThat(standIn.mayfly("image", "push", template)).isEqualTo(2);
    assertThat(standIn.said()).contains("no region is known");
    assertThat(standIn.mayfly("image", "push", US + "@" + DIGEST)).isEqualTo(2);
    assertThat(standIn.said()).contains("without a digest");
    assertThat(standIn.mayfly("image", "push", "ghcr.io/lab/x:1", "--region", "us-east1"))
        .isEqualTo(2);
    assertThat(standIn.said()).contains("no copy in us-east1", "mirrors");
  }

  @Test
  void dockerTellsDigestInItsLastLine() throws IOException {
    standIn.program(
        "docker", "[ \"$1\" != push ] || echo \"7: digest: %s size: 1234\"".formatted(DIGEST));

    assertThat(standIn.mayfly("image", "push", US, "--engine", "docker", "--source", "base:dev"))
        .as(standIn.said())
        .isZero();
    assertThat(standIn.calls())
        .containsExactly(List.of("docker", "tag", "base:dev", US), List.of("docker", "push", US));
    assertThat(standIn.said()).contains(US + "@" + DIGEST);
  }

  @Test
  void failedPushNamesItsRemedyAndPinsNothing() throws IOException {
    standIn.program("podman", "[ \"$1\" != push ] || exit 125");
    var before = Files.readString(cluster);

    assertThat(standIn.mayfly("image", "push", "-f", cluster.toString(), "--pin")).isEqualTo(2);
    assertThat(standIn.said()).contains("ended with 125", "gcloud auth print-access-token");
    assertThat(Files.readString(cluster)).isEqualTo(before);
    assertThat(standIn.mayfly("image", "push", US, "--pin")).isEqualTo(2);
    assertThat(standIn.said()).contains("name it with -f");
  }

  @Test
  void differentDigestsAreAnError() throws IOException {
    standIn.program(
        "podman",
        """
        for word; do
          case $word in --digestfile=*) printf "sha256:%064d" "$(wc -l <"$calls")" >"${word#*=}" ;; esac
        done
        """);

    assertThat(standIn.mayfly("image", "push", "-f", cluster.toString(), "--pin")).isEqualTo(75);
    assertThat(standIn.said()).contains("the copies differ");
  }
}
