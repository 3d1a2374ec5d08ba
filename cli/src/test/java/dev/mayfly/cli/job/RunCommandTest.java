package dev.mayfly.cli.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.message.UserCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mayfly run}, from the working folder to the published job. */
class RunCommandTest {
  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Path folder;
  private FakeControlPlane control;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    control.clusters.put("lab", ViewFixtures.cluster("file://" + home.resolve("bucket")));
    folder = Files.createDirectories(home.resolve("project"));
  }

  @AfterEach
  void stop() {
    control.close();
  }

  @Test
  void folderGoesWithTheCommand() throws IOException {
    Files.writeString(folder.resolve("train.py"), "print(1)");
    Files.writeString(folder.resolve(".gitignore"), "secret.txt\n");
    Files.writeString(folder.resolve("secret.txt"), "x");
    Files.createDirectories(folder.resolve(".venv"));
    Files.writeString(folder.resolve(".venv/python"), "x");

    assertThat(run("--", "python", "train.py", "{index}")).isZero();
    assertThat(published().owner()).contains("ann");
    assertThat(published().run().command()).containsExactly("python", "train.py", "{{index}}");
    var zip = Path.of(URI.create(published().run().code().orElseThrow()));
    try (var files = FileSystems.newFileSystem(zip)) {
      assertThat(files.getPath("/train.py")).exists();
      assertThat(files.getPath("/secret.txt")).doesNotExist();
      assertThat(files.getPath("/.venv")).doesNotExist();
    }
    assertThat(err.toString(UTF_8)).contains("code: 2 files").contains("1 folder left out: .venv");
  }

  @Test
  void noCodeOptionUploadsNothing() throws IOException {
    Files.writeString(folder.resolve("a"), "x");

    assertThat(run("--no-code", "--", "true")).isZero();
    assertThat(published().run().code()).isEmpty();
    assertThat(home.resolve("bucket")).doesNotExist();
  }

  @Test
  void refRunsTheCommittedFiles() throws Exception {
    Files.writeString(folder.resolve("train.py"), "committed");
    git("init", "-q", "-b", "main");
    git("add", ".");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first");
    Files.writeString(folder.resolve("train.py"), "not committed");

    assertThat(run("--ref", "main", "--", "python", "train.py")).isZero();

    var zip = Path.of(URI.create(published().run().code().orElseThrow()));
    try (var files = FileSystems.newFileSystem(zip)) {
      assertThat(files.getPath("/train.py")).hasContent("committed");
    }
    var from = published().run().taskEnvironment().codeFrom().orElseThrow();
    assertThat(from).startsWith("git+file://").endsWith("#ref=main");
    assertThat(err.toString(UTF_8)).contains("commit ").contains("(main)");
    assertThat(run("--ref", "none", "--", "true")).isEqualTo(2);
    assertThat(run("--ref", "main", "--no-code", "--", "true")).isEqualTo(2);
  }

  private void git(String... arguments) throws Exception {
    var command = new ArrayList<>(List.of("git", "-C", folder.toString()));
    command.addAll(List.of(arguments));
    assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
  }

  @Test
  void joinsLiveJobAndSaysSo() {
    assertThat(run("--no-code", "--name", "nap", "--", "true")).isZero();
    assertThat(out.toString(UTF_8)).contains("is accepted");
    control.onSubmit = job -> List.of(ViewFixtures.job(job.spec()).view());

    assertThat(run("--no-code", "--name", "nap", "--", "true")).isZero();
    assertThat(err.toString(UTF_8))
        .contains("job nap (j1) is live with this content already: nothing is submitted twice");
  }

  @Test
  void optionsAreTheFieldsOfJob() {
    assertThat(
            run(
                "--no-code",
                "--cpu",
                "1",
                "--memory",
                "1Gi",
                "--gang",
                "2",
                "--pool",
                "cpu",
                "--worker",
                "lab-cpu-a",
                "--env",
                "LR=0.1",
                "-e",
                "NAME={x}=y",
                "--timeout",
                "30m",
                "--priority",
                "70",
                "--",
                "true"))
        .as(err.toString(UTF_8))
        .isZero();

    assertThat(published().resources().memoryBytes()).isEqualTo(1L << 30);
    assertThat(published().gang()).isEqualTo(2);
    assertThat(published().place().pools()).containsExactly("cpu");
    assertThat(published().place().workers()).containsExactly("lab-cpu-a");
    assertThat(published().run().env()).isEqualTo(Map.of("LR", "0.1", "NAME", "{x}=y"));
    assertThat(published().run().timeout()).isEqualTo(Duration.ofMinutes(30));
    assertThat(published().priority()).isEqualTo(70);
    assertThat(run("--no-code", "--env", "LR", "--", "true")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("--env LR has no value; write --env NAME=VALUE");
  }

  @Test
  void acceleratorsAreResourcesOfJob() {
    var pools =
        """
          - {name: gpu, machine: {type: g2-standard-4}, zones: [us-central1-a], workers: {max: 1}}
          - {name: tpu, tpu: {type: v4-8}, zones: [us-central2-b], workers: {max: 1}}
        """;
    control.clusters.put("lab", ViewFixtures.clusterOf("lab", ViewFixtures.CLUSTER + pools));

    assertThat(run("--no-code", "--gpu", "0.25", "--", "true")).as(err.toString(UTF_8)).isZero();
    assertThat(published().resources().gpuMillis()).isEqualTo(250);
    assertThat(run("--no-code", "--tpu", "4", "--", "true")).as(err.toString(UTF_8)).isZero();
    assertThat(control.published).hasSize(2);
    assertThat(published().resources().tpuChips()).isEqualTo(4);
  }

  @Test
  void homeFolderIsNotPackedByMistake() {
    folder = home;

    assertThat(run("--", "true")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("--no-code");
    assertThat(control.published).isEmpty();
  }

  private int run(String... args) {
    var all = new ArrayList<>(List.of("run", "--no-wait"));
    all.addAll(List.of(args));
    var screen = TestScreen.plain(out, err);
    var env = Map.of("MAYFLY_HOME", home.toString(), "HOME", home.toString(), "USER", "ann");
    var cliContext =
        new CliContext(
            env,
            screen,
            new ConditionPoller(() -> ViewFixtures.NOW, span -> {}),
            () -> "0123456789-" + control.published.size(),
            folder);
    return Main.run(cliContext, all.toArray(String[]::new));
  }

  private JobSpec published() {
    return ((UserCommand.SubmitJob) control.published.getLast()).spec();
  }
}
