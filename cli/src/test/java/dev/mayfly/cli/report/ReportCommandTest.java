package dev.mayfly.cli.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.query.JobExplanation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {
  private static final String WITH_KEY = ViewFixtures.JOB + "env: {API: canary-0123}\n";

  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private FakeControlPlane control;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    control.clusters.put("lab", ViewFixtures.cluster());
    var failure = ViewFixtures.failure(3, FailureCause.USER, "it says canary-0123");
    control.add(
        ViewFixtures.job(ViewFixtures.jobSpec(WITH_KEY))
            .attempts(Map.of(FailureCause.USER, 1L))
            .failures(failure)
            .view());
    control.explanations.add(
        new JobExplanation("reddit", "it fails", List.of(), List.of(), List.of()));
    control.eventRecords.add(
        new EventRecord("c1", "e1", ViewFixtures.NOW, "job/reddit", "requeued", "worker lost"));
  }

  @AfterEach
  void stop() {
    control.close();
  }

  private int run(String... more) {
    var args = new String[more.length + 4];
    System.arraycopy(new String[] {"report", "reddit", "--to", file().toString()}, 0, args, 0, 4);
    System.arraycopy(more, 0, args, 4, more.length);
    var context =
        new CliContext(
            Map.of("MAYFLY_HOME", home.toString(), "MAYFLY_API_TOKEN", "canary-4567"),
            TestScreen.plain(out, err, 120),
            new ConditionPoller(() -> ViewFixtures.NOW, span -> {}),
            () -> "id");
    return Main.run(context, args);
  }

  private Path file() {
    return home.resolve("r.zip");
  }

  private Map<String, String> files() throws IOException {
    var files = new HashMap<String, String>();
    try (var zip = new ZipInputStream(Files.newInputStream(file()))) {
      for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry())
        files.put(entry.getName().replaceFirst(".*?/", ""), new String(zip.readAllBytes(), UTF_8));
    }
    return files;
  }

  @Test
  void reportHasAllThatIsKnown() throws IOException {
    assertThat(run()).as(err.toString(UTF_8)).isZero();

    assertThat(files())
        .containsKeys(
            "README.txt",
            "version.txt",
            "settings.txt",
            "doctor.txt",
            "cluster.json",
            "workers.json",
            "job.json",
            "explain.json",
            "tasks.json",
            "attempts.json",
            "events.json",
            "timeline.txt");
    assertThat(files().get("timeline.txt")).contains("job/reddit requeued: worker lost");
    assertThat(out.toString(UTF_8)).startsWith(file() + ", ");
  }

  @Test
  void noSecretIsInIt() throws IOException {
    assertThat(run()).isZero();

    assertThat(files().values()).noneMatch(text -> text.contains("canary"));
    assertThat(files().get("README.txt"))
        .contains("the value of API in the environment")
        .contains("a value that is called a secret");
  }

  @Test
  void environmentIsKeptWhenAskedFor() throws IOException {
    assertThat(run("--with-env")).isZero();

    assertThat(files().get("job.json")).contains("canary-0123");
    assertThat(files().get("settings.txt")).doesNotContain("canary-4567");
  }

  @Test
  void reportIsMadeWhileTheControlPlaneIsAway() throws IOException {
    control.close();

    assertThat(run()).as(err.toString(UTF_8)).isZero();
    assertThat(files()).containsKeys("version.txt", "doctor.txt").doesNotContainKey("job.json");
    assertThat(files().get("README.txt"))
        .contains("- all that the control plane knows of the job and its cluster");
    assertThat(err.toString(UTF_8)).contains("missing: all that the control plane knows");
  }

  @Test
  void existingFileIsNotReplaced() throws IOException {
    Files.writeString(file(), "mine");

    assertThat(run()).isEqualTo(2);
    assertThat(Files.readString(file())).isEqualTo("mine");
    assertThat(err.toString(UTF_8)).contains("--force");
    control.explanations.add(
        new JobExplanation("reddit", "it fails", List.of(), List.of(), List.of()));
    assertThat(run("--force")).isZero();
    assertThat(files()).containsKey("job.json");
  }
}
