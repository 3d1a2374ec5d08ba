package dev.mayfly.cli.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ImageBakeTest {
  /** A machine that is done at the third question, or fails if {@code failing} is there. */
  private static final String GCLOUD =
      """
      here=${calls%/*}
      case "$2 $3" in
        'instances create') for word; do
            case $word in --metadata-from-file=*) cp "${word#*startup-script=}" "$here/script" ;; esac
          done ;;
        'instances describe')
          if [ "$(grep -c describe "$calls")" -ge 3 ] && [ ! -e "$here/failing" ]; then echo TERMINATED
          else echo RUNNING; fi ;;
        'instances get-serial-port-output')
          [ ! -e "$here/failing" ] || printf 'E: no such package\\nmayfly-bake: failed in line 6\\n' ;;
      esac
      """;

  @TempDir Path folder;
  private StandIn standIn;

  @BeforeEach
  void start() throws IOException {
    standIn = new StandIn(folder).with("MAYFLY_PROJECT", "lab-batch");
    standIn.program("gcloud", GCLOUD);
  }

  private List<String> orders() throws IOException {
    return standIn.calls().stream()
        .map(call -> call.get(2) + " " + call.get(3))
        .filter(order -> !order.contains("describe") && !order.contains("serial"))
        .toList();
  }

  private int bake(String... more) {
    var line =
        new java.util.ArrayList<>(List.of("image", "bake", "lab-1", "--zone", "us-central1-a"));
    line.addAll(List.of(more));
    return standIn.mayfly(line.toArray(String[]::new));
  }

  @Test
  void machineInstallsBecomesImageAndGoes() throws IOException {
    assertThat(
            bake("--family", "lab", "--apt", "docker.io,nfs-common", "--pull", "ghcr.io/lab/x:1"))
        .as(standIn.said())
        .isZero();

    assertThat(orders()).containsExactly("instances create", "images create", "instances delete");
    assertThat(standIn.calls().getFirst())
        .contains(
            "bake-lab-1",
            "--image-project=debian-cloud",
            "--image-family=debian-12",
            "--boot-disk-type=pd-balanced",
            "--no-address",
            "--no-service-account",
            "--zone=us-central1-a",
            "--project=lab-batch");
    assertThat(standIn.calls().get(standIn.calls().size() - 2))
        .containsExactly(
            "gcloud",
            "compute",
            "images",
            "create",
            "lab-1",
            "--source-disk=bake-lab-1",
            "--source-disk-zone=us-central1-a",
            "--family=lab",
            "--project=lab-batch",
            "--quiet");
    assertThat(folder.resolve("script"))
        .content()
        .contains("apt-get install -y -- docker.io nfs-common\n", "pull -- ghcr.io/lab/x:1\n")
        .endsWith("poweroff\n");
    assertThat(standIn.said())
        .contains("machine.image: projects/lab-batch/global/images/family/lab");
  }

  @Test
  void failedInstallationMakesNoImage() throws IOException {
    assertThat(folder.resolve("failing").toFile().createNewFile()).isTrue();

    assertThat(bake("--apt", "docker.oi")).isEqualTo(75);

    assertThat(orders()).containsExactly("instances create", "instances delete");
    assertThat(standIn.said()).contains("E: no such package", "no image was made");
  }

  @Test
  void stoppedDiskBecomesImageAtOnce() throws IOException {
    assertThat(bake("--disk", "my-machine")).as(standIn.said()).isZero();

    assertThat(orders()).containsExactly("images create");
    assertThat(standIn.calls().getFirst()).contains("--source-disk=my-machine");
  }

  @Test
  void dryRunPrintsAllOrders() throws IOException {
    assertThat(bake("--apt", "docker.io", "--dry-run")).isZero();

    assertThat(standIn.said())
        .containsSubsequence(
            "# apt-get install -y -- docker.io",
            "'instances' 'create' 'bake-lab-1'",
            "until it is TERMINATED",
            "'images' 'create' 'lab-1'",
            "'instances' 'delete' 'bake-lab-1'");
    assertThat(standIn.calls()).isEmpty();
  }

  @Test
  void hostileWordsAreRefused() throws IOException {
    assertThat(bake("--apt", "git;poweroff")).isEqualTo(2);
    assertThat(standIn.said()).contains("--apt: 'git;poweroff' does not fit");
    assertThat(bake("--pull", "x$(id)")).isEqualTo(2);
    assertThat(bake("--apt", "git", "--base", "debian-12")).isEqualTo(2);
    assertThat(bake()).isEqualTo(2);
    assertThat(standIn.said()).contains("there is nothing to bake");
    assertThat(bake("--disk", "d", "--apt", "git")).isEqualTo(2);
    assertThat(standIn.calls()).isEmpty();
  }

  @Test
  void scriptIsOneThatBashReads() throws Exception {
    var text = BakeScript.of(List.of("git"), List.of("us-central1-docker.pkg.dev/lab/job/x:1"));
    var process = new ProcessBuilder("bash", "-n", "-c", text).redirectErrorStream(true).start();

    assertThat(new String(process.getInputStream().readAllBytes(), UTF_8)).isEmpty();
    assertThat(process.waitFor()).isZero();
    assertThat(text).contains("login us-central1-docker.pkg.dev\n");
  }
}
