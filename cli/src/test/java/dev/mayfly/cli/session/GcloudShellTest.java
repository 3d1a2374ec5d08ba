package dev.mayfly.cli.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What reaches gcloud: a stand-in on the PATH keeps its arguments, and hands its command to a shell
 * as sshd does. {@code .ci/gcloud} has the same commands, from the documents, read by gcloud.
 */
@Timeout(60)
class GcloudShellTest {
  private static final String STAND_IN =
      """
      #!/bin/sh
      printf '%s\\0' "$@" >"$(dirname "$0")/arguments"
      for word; do
        case $word in --command=*) exec sh -c "${word#--command=}" ;; esac
      done
      exit 9
      """;

  private static final List<String> HOSTILE =
      List.of(
          "it's",
          "$(touch pwned)",
          "`id`",
          "two\nlines",
          "",
          " ",
          "a  b",
          "\"",
          "*",
          "-n",
          "--",
          "\ttab\\",
          ";exit 9",
          "ü€",
          "$HOME",
          "!!",
          "~",
          "#",
          "a=b",
          "'\\''");

  @TempDir Path folder;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private FakeControlPlane control;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.clusters.put("lab", ViewFixtures.cluster());
    control.add(ViewFixtures.job(ViewFixtures.jobSpec()).uid("j1").view());
    control.workers.add(ViewFixtures.worker("lab-cpu-a", "n2-standard-2", "j1"));
    var program = folder.resolve("gcloud");
    Files.writeString(program, STAND_IN);
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }

  @AfterEach
  void stop() {
    control.close();
  }

  @Test
  void shellOnWorkerIsGcloudsOwn() throws IOException {
    assertThat(mayfly("ssh", "lab-cpu-a")).as(err.toString(UTF_8)).isEqualTo(9);

    assertThat(arguments())
        .containsExactly(
            "compute",
            "ssh",
            "lab-cpu-a",
            "--project=lab-batch",
            "--zone=us-central1-a",
            "--tunnel-through-iap");
  }

  @Test
  void tpuHostIsReachedByAlphaCommand() throws IOException {
    control.workers.add(ViewFixtures.worker("lab-v4-b", "v4-16", "j1"));

    assertThat(mayfly("ssh", "lab-v4-b.1")).as(err.toString(UTF_8)).isEqualTo(9);
    assertThat(arguments())
        .containsExactly(
            "alpha",
            "compute",
            "tpus",
            "tpu-vm",
            "ssh",
            "lab-v4-b",
            "--project=lab-batch",
            "--zone=us-central1-a",
            "--tunnel-through-iap",
            "--worker=1");
    assertThat(mayfly("ssh", "lab-v4-b.2")).isEqualTo(4);
    assertThat(err.toString(UTF_8)).contains("worker lab-v4-b has 2 hosts; there is no .2");
  }

  @Test
  void hostileArgumentsSurviveTheRemoteShell() throws IOException {
    var got = folder.resolve("got");
    var script = "cd " + folder + " && printf '%s\\0' \"$@\" >got; exit 41";
    var line = new ArrayList<>(List.of("exec", "lab-cpu-a", "--", "sh", "-c", script, "x"));
    line.addAll(HOSTILE);

    assertThat(mayfly(line.toArray(String[]::new))).as(err.toString(UTF_8)).isEqualTo(41);
    assertThat(List.of(Files.readString(got).split("\0", -1)))
        .startsWith(HOSTILE.toArray(String[]::new))
        .hasSize(HOSTILE.size() + 1);
    assertThat(folder.resolve("pwned")).doesNotExist();
  }

  @Test
  void taskIsEnteredByTheMachinesOwnProgram() throws Exception {
    // This computer has no such program, and is told like a machine with an old agent.
    assertThat(mayfly("exec", "reddit/3", "--", "echo", "it's")).isEqualTo(75);

    var command = arguments().getLast();
    assertThat(command).startsWith("--command=");
    assertThat(words(command.substring("--command=".length())))
        .startsWith("sh", "-c")
        .endsWith("mayfly", "--wait", "5", "j1", "3", "echo", "it's")
        .element(2)
        .asString()
        .contains("exec sudo -n -- /opt/mayfly/current/bin/enter-task \"$@\"");
  }

  @Test
  void portsAreForwardedBySsh() throws IOException {
    assertThat(mayfly("port-forward", "lab-cpu-a", "18888:8888", "6006")).isEqualTo(9);

    assertThat(arguments())
        .containsSequence(
            "--tunnel-through-iap",
            "--ssh-flag=-N",
            "--ssh-flag=-o ExitOnForwardFailure=yes",
            "--ssh-flag=-L 127.0.0.1:18888:localhost:8888",
            "--ssh-flag=-L 127.0.0.1:6006:localhost:6006");
  }

  /** {@code .ci/gcloud} lets gcloud's own parser read the lines of that page. */
  @Test
  void documentedLinesAreWhatRuns() throws Exception {
    control.workers.add(ViewFixtures.worker("lab-v4-b", "v4-32", "j1"));

    mayfly("exec", "lab-cpu-a", "--", "df", "-h");
    assertThat(arguments()).isEqualTo(documented(0, "lab-cpu-a"));
    mayfly("exec", "lab-v4-b.2", "--", "df", "-h");
    assertThat(arguments()).isEqualTo(documented(1, "lab-v4-b"));
    mayfly("port-forward", "lab-cpu-a", "6006");
    assertThat(arguments()).isEqualTo(documented(2, "lab-cpu-a"));
  }

  /** Arguments of one of the page's lines, without the terminal that this test does not have. */
  private static List<String> documented(int number, String worker) throws Exception {
    var lines =
        Files.readAllLines(Path.of("../docs/interactive.md")).stream()
            .filter(line -> line.startsWith("    gcloud "))
            .toList();
    assertThat(lines).hasSize(3);
    var line =
        lines
            .get(number)
            .strip()
            .replace("WORKER", worker)
            .replace("--project=P", "--project=lab-batch")
            .replace("--zone=Z", "--zone=us-central1-a");
    return words(line).stream().skip(1).filter(word -> !word.equals("--ssh-flag=-t")).toList();
  }

  @Test
  void whatCannotBeReachedIsExplained() throws IOException {
    assertThat(mayfly("attach", "reddit")).isEqualTo(2);
    assertThat(mayfly("attach", "reddit/9")).isEqualTo(75);
    assertThat(mayfly("attach", "nobody")).isEqualTo(4);
    assertThat(mayfly("ssh", "reddit/3")).isEqualTo(2);
    Files.delete(folder.resolve("gcloud"));
    assertThat(mayfly("ssh", "lab-cpu-a")).isEqualTo(2);

    assertThat(err.toString(UTF_8))
        .contains("job reddit has 12 tasks; name one, such as reddit/0")
        .contains(
            "task 9 of job reddit has no worker now (workers have 0-5); mayfly attach --wait SECONDS waits for one")
        .contains("cluster lab has no worker and no job nobody")
        .contains("reddit/3 is a task; log in beside it with: mayfly attach reddit/3")
        .contains("gcloud is not on the PATH");
  }

  private List<String> arguments() throws IOException {
    var text = Files.readString(folder.resolve("arguments"));
    return List.of(text.substring(0, text.length() - 1).split("\0", -1));
  }

  /** The words that a shell reads in a line. */
  private static List<String> words(String line) throws Exception {
    var process =
        new ProcessBuilder("sh", "-c", "eval \"set -- $1\"; printf '%s\\0' \"$@\"", "sh", line)
            .start();
    var text = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isZero();
    return List.of(text.substring(0, text.length() - 1).split("\0", -1));
  }

  private int mayfly(String... line) {
    var stream = new PrintStream(err, true, UTF_8);
    var env =
        Map.of(
            "MAYFLY_PROJECT",
            "lab-batch",
            "MAYFLY_API_URL",
            control.url() + "/api",
            "PATH",
            folder.toString());
    var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, span -> {});
    var screen = TestScreen.plain(stream, stream, 80);
    return Main.run(new CliContext(env, screen, conditionPoller, () -> "id", folder), line);
  }
}
