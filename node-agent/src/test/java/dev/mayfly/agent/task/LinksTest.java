package dev.mayfly.agent.task;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.agent.FakeObjects;
import dev.mayfly.core.agent.AgentEffect;
import dev.mayfly.core.agent.AgentEvent;
import dev.mayfly.core.agent.Attempt;
import dev.mayfly.core.agent.Left;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that put links in the place of what the agent reads. */
@Timeout(300)
final class LinksTest {
  private static final Attempt ATTEMPT = new Attempt(new LeaseRef("j1", 0, 3), 7);

  /** Names of bytes that are no UTF-8. */
  private static final String UNSPEAKABLE =
      "cd {outputFile}; b=$(printf 'b\\377'); echo 2 > $b; mkdir $b.d; echo 3 > $b.d/$b";

  @TempDir Path root;
  private TaskBench bench;
  private FakeObjects objects;
  private Tasks tasks;

  @BeforeEach
  void open() throws IOException {
    bench = new TaskBench(root, reference -> "");
    objects = bench.objects;
    tasks = bench.tasks;
  }

  @AfterEach
  void close() throws IOException {
    bench.close();
  }

  private void start(String... command) {
    var item = new TaskItem(7, Optional.empty(), Map.of());
    tasks.start(
        new AgentEffect.Start(ATTEMPT, Sheets.sheet(Optional.empty(), command), item, List.of()));
  }

  private Path file() throws IOException {
    try (var folders = Files.list(bench.workDir.root().resolve("attempts"))) {
      return folders.findFirst().orElseThrow();
    }
  }

  @Test
  void aDirectoryIsListedByPathWithoutLinks() throws Exception {
    start(
        "sh",
        "-c",
        "mkdir -p {outputFile}/b && cd {outputFile} && echo 1 > b/x && echo 2 > a && ln -s / root");

    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    assertThat(tasks.left(ATTEMPT))
        .isInstanceOfSatisfying(
            Left.Directory.class,
            folder ->
                assertThat(folder.entries())
                    .extracting(Left.Entry::path)
                    .containsExactly("a", "b/x"));
  }

  @Test
  void anOutputThatIsALinkIsNone() throws Exception {
    var precious = Files.writeString(root.resolve("shadow"), "precious");
    start("sh", "-c", "ln -s " + precious + " {outputFile}");

    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    assertThat(tasks.left(ATTEMPT)).isEqualTo(new Left.Nothing());
  }

  @Test
  void aLinkInThePlaceOfTheOutputsFolderLeadsNowhere() throws Exception {
    var elsewhere = Files.createDirectory(root.resolve("etc"));
    Files.writeString(elsewhere.resolve("7"), "precious");
    start("sh", "-c", "cd ..; rm -r out; ln -s " + elsewhere + " out");

    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    assertThat(tasks.left(ATTEMPT)).isEqualTo(new Left.Nothing());
  }

  @Test
  void aFolderThatBecameALinkSinceItWasListedIsNotFollowed() throws Exception {
    var elsewhere = Files.createDirectory(root.resolve("etc"));
    Files.writeString(elsewhere.resolve("x"), "precious");
    start("sh", "-c", "mkdir -p {outputFile}/b; echo 1 > {outputFile}/b/x");
    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    var left = (Left.Directory) tasks.left(ATTEMPT);
    var folder = file().resolve("out/7");

    Files.delete(folder.resolve("b/x"));
    Files.delete(folder.resolve("b"));
    Files.createSymbolicLink(folder.resolve("b"), elsewhere);

    assertThatThrownBy(() -> left.entries().getFirst().content().open())
        .isInstanceOf(IOException.class);
  }

  @Test
  void whatAnswersNeverIsNoOutput() throws Exception {
    start("mkfifo", "{outputFile}");

    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    assertThat(tasks.left(ATTEMPT)).isEqualTo(new Left.Nothing());
  }

  @Test
  void aFileWhoseNameIsNoTextIsNotLeftOutInSilence() throws Exception {
    start("sh", "-c", "mkdir {outputFile}; echo 1 > {outputFile}/a; " + UNSPEAKABLE);

    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    assertThatThrownBy(() -> tasks.left(ATTEMPT))
        .isInstanceOf(Invalid.class)
        .hasMessageContaining("the file's name is no text");
  }

  @Test
  void foldersWithoutEndAreTheUsersToMend() throws Exception {
    start("sh", "-c", "d={outputFile}; for i in $(seq 120); do mkdir $d; d=$d/d; done");

    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    assertThatThrownBy(() -> tasks.left(ATTEMPT))
        .isInstanceOf(Invalid.class)
        .hasMessageContaining("more than 100 deep");
  }

  @Test
  void filesAndFoldersWhoseNamesAreNoTextGoWithTheAttempt() throws Exception {
    start("sh", "-c", "mkdir {outputFile}; " + UNSPEAKABLE);

    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    var out = file().resolve("out");
    assertThat(out).isNotEmptyDirectory();
    tasks.drop(ATTEMPT).get(120, SECONDS);
    assertThat(out).isEmptyDirectory();
  }

  @Test
  void aLinkThatTheTaskPutsInTheLogsPlaceIsNotFollowed() throws Exception {
    var precious = Files.writeString(root.resolve("shadow"), "precious");
    start(
        "sh",
        "-c",
        "echo before; for log in ../../../logs/*.log ../output.log; do ln -sf "
            + precious
            + " $log; done; echo after; exit 3");

    assertThat(bench.next())
        .isInstanceOfSatisfying(
            AgentEvent.Exited.class, end -> assertThat(end.evidence()).isEqualTo("before\nafter"));
    tasks.drop(ATTEMPT).get(120, SECONDS);
    assertThat(objects.texts("gs://lab/mayfly/.jobs/j1/logs/")).containsExactly("before\nafter\n");
    assertThat(precious).hasContent("precious");
  }
}
