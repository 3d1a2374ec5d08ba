package dev.mayfly.agent.task;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.agent.FakeObjects;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.output.ProducedOutput;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.TaskItem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

/** Tasks that replace files of the agent by links. */
@Timeout(300)
final class TaskSymlinkTest {
  private static final TaskAttempt ATTEMPT = new TaskAttempt(new LeaseRef("j1", 0, 3), 7);

  /** File names that are not UTF-8. */
  private static final String UNSPEAKABLE =
      "cd {outputFile}; b=$(printf 'b\\377'); echo 2 > $b; mkdir $b.d; echo 3 > $b.d/$b";

  @TempDir Path root;
  private TaskExecutorFixture bench;
  private FakeObjects objects;
  private TaskExecutor taskExecutor;

  @BeforeEach
  void open() throws IOException {
    bench = new TaskExecutorFixture(root, reference -> "");
    objects = bench.objects;
    taskExecutor = bench.taskExecutor;
  }

  @AfterEach
  void close() throws IOException {
    bench.close();
  }

  private void start(String... command) {
    var item = new TaskItem(7, Optional.empty(), Map.of());
    taskExecutor.start(
        new AgentEffect.Start(
            ATTEMPT, TestJobs.jobInfo(Optional.empty(), command), item, List.of()));
  }

  private Path file() throws IOException {
    try (var folders = Files.list(bench.workDir.root().resolve("attempts"))) {
      return folders.findFirst().orElseThrow();
    }
  }

  private ProducedOutput.Directory folder(String script) throws Exception {
    start("sh", "-c", "mkdir -p {outputFile}/b && cd {outputFile} && " + script);
    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    return (ProducedOutput.Directory) taskExecutor.producedOutput(ATTEMPT);
  }

  private void isRefused(String message) {
    assertThatThrownBy(() -> taskExecutor.producedOutput(ATTEMPT))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(message);
  }

  private static String text(ProducedOutput.Entry entry) throws IOException {
    try (var in = entry.content().open()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void linksWithinAnOutputAreStored() throws Exception {
    var left = folder("echo 1 > b/x; ln -s b/x last; ln -s $PWD/b c; ln -s ../7/last d; mkdir e");

    assertThat(left.entries())
        .extracting(ProducedOutput.Entry::path)
        .containsExactly("b/x", "c/x", "d", "last");
    for (var entry : left.entries()) assertThat(text(entry)).isEqualTo("1\n");
    assertThat(left.folders()).containsExactly("e");
  }

  @Test
  void linkOutOfAnOutputIsRefused() throws Exception {
    start("sh", "-c", "mkdir {outputFile} && cd {outputFile} && echo 2 > a && ln -s / root");

    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    isRefused("$MAYFLY_OUTPUT: 'root' is a link to /, which leads outside of the folder; copy");
  }

  @Test
  void pipesAreLeftOutAndSaidInTheLog() throws Exception {
    var left = folder("echo 1 > a; mkfifo pipe; echo -n unended");

    assertThat(left.entries()).extracting(ProducedOutput.Entry::path).containsExactly("a");
    taskExecutor.deleteWorkDir(ATTEMPT).get(120, SECONDS);
    assertThat(objects.texts("gs://lab/mayfly/.jobs/j1/logs/"))
        .containsExactly(
            "unended\nmayfly: left out of the output: 'pipe' is a pipe, a socket or a device, which"
                + " holds nothing to store\n");
  }

  @Test
  void linkInTheOutputFolderIsTheOutput() throws Exception {
    start("sh", "-c", "echo 1 > ../out/result; ln -s result {outputFile}");

    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    assertThat(taskExecutor.producedOutput(ATTEMPT))
        .isInstanceOfSatisfying(
            ProducedOutput.OneFile.class, file -> assertThat(file.content().size()).isEqualTo(2));
  }

  @Test
  void linkElsewhereIsNoOutput() throws Exception {
    var precious = Files.writeString(root.resolve("shadow"), "precious");
    start("sh", "-c", "ln -s " + precious + " {outputFile}");

    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    isRefused("is a link to " + precious + ", which leads outside");
  }

  @Test
  void linkAtOutputFolderIsNotFollowed() throws Exception {
    var elsewhere = Files.createDirectory(root.resolve("etc"));
    Files.writeString(elsewhere.resolve("7"), "precious");
    start("sh", "-c", "cd ..; rm -r out; ln -s " + elsewhere + " out");

    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    isRefused("the folder that it was in is no longer a folder");
  }

  @Test
  void linkReplacedAfterItsLookIsNotFollowed() throws Exception {
    var precious = Files.writeString(root.resolve("shadow"), "precious");
    var left = folder("echo 1 > a; ln -s a last");
    var a = file().resolve("out/7/a");

    Files.delete(a);
    Files.createSymbolicLink(a, precious);

    assertThatThrownBy(() -> left.entries().getLast().content().open())
        .isInstanceOf(IOException.class);
  }

  @Test
  void folderReplacedByLinkIsNotFollowed() throws Exception {
    var elsewhere = Files.createDirectory(root.resolve("etc"));
    Files.writeString(elsewhere.resolve("x"), "precious");
    start("sh", "-c", "mkdir -p {outputFile}/b; echo 1 > {outputFile}/b/x");
    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    var left = (ProducedOutput.Directory) taskExecutor.producedOutput(ATTEMPT);
    var folder = file().resolve("out/7");

    Files.delete(folder.resolve("b/x"));
    Files.delete(folder.resolve("b"));
    Files.createSymbolicLink(folder.resolve("b"), elsewhere);

    assertThatThrownBy(() -> left.entries().getFirst().content().open())
        .isInstanceOf(IOException.class);
  }

  @Test
  void pipeIsNoOutput() throws Exception {
    start("mkfifo", "{outputFile}");

    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    isRefused("is a pipe, a socket or a device");
  }

  @Test
  void undecodableFileNameIsRefused() throws Exception {
    start("sh", "-c", "mkdir {outputFile}; echo 1 > {outputFile}/a; " + UNSPEAKABLE);

    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    isRefused("has a name that is not text; name it otherwise (and 1 more)");
  }

  @Test
  void endlessFoldersAreTheUsersFault() throws Exception {
    start("sh", "-c", "d={outputFile}; for i in $(seq 120); do mkdir $d; d=$d/d; done");

    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    isRefused("lies more than 100 folders deep");
  }

  @Test
  void undecodableFilesAreDeletedWithAttempt() throws Exception {
    start("sh", "-c", "mkdir {outputFile}; " + UNSPEAKABLE);

    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    var out = file().resolve("out");
    assertThat(out).isNotEmptyDirectory();
    taskExecutor.deleteWorkDir(ATTEMPT).get(120, SECONDS);
    assertThat(out).isEmptyDirectory();
  }

  @Test
  void linkAtLogPathIsNotFollowed() throws Exception {
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
    taskExecutor.deleteWorkDir(ATTEMPT).get(120, SECONDS);
    assertThat(objects.texts("gs://lab/mayfly/.jobs/j1/logs/")).containsExactly("before\nafter\n");
    assertThat(precious).hasContent("precious");
  }
}
