package dev.mayfly.agent.runner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.process.ProcessAwait;
import dev.mayfly.agent.task.TaskExecutorFixture;
import dev.mayfly.agent.task.TestJobs;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.model.job.TaskItem;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs that are given task after task: real ones, in a shell's words. */
@Timeout(300)
final class RunnerTaskTest extends RunnerFixture {
  @Test
  void tasksOfOneProcessHaveOwnLogsAndOutputs() throws Exception {
    assertThat(exit(run(0)).exitCode()).isZero();
    assertThat(exit(run(1)).exitCode()).isZero();

    assertThat(process(1)).isEqualTo(process(0));
    assertThat(log(0)).isEqualTo("words of 1\n");
    assertThat(log(1)).isEqualTo("words of 2\n");
  }

  /** What task 1 does, the exit code of its attempt, its last words, and who has task 2. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          echo no model; answer 3 ~ 3 ~ no model ~ the same
          (setsid sleep 600 &); answer 0 ~ 0 ~ '' ~ the same
          kill -SEGV $$ ~ 139 ~ '' ~ another
          echo gone; exit 0 ~ 1 ~ gone\\nmayfly: the runner ended with exit code 0 before it answered for this task ~ another
          exit 7 ~ 7 ~ mayfly: the runner ended with exit code 7 before it answered for this task ~ another
          sleep 600 & exit 7 ~ 7 ~ mayfly: the runner ended with exit code 7 before it answered for this task ~ another
          echo nonsense >&4; read -r task <&3 ~ 1 ~ mayfly: the runner answered 'nonsense', which is no answer: ~ another
          echo '{"task":"j1/1/s0e3"}' >&4 ~ 1 ~ which is no answer: exitCode is missing ~ another
          echo '{"task":"j1/1/s0e3","exitCode":256}' >&4 ~ 1 ~ which is no answer: exitCode 256 is not from 0 to 255 ~ another
          echo '{"task":"j1/2/s0e3","exitCode":0}' >&4 ~ 1 ~ mayfly: the runner answered for another task, j1/2/s0e3: ~ another
          head -c 70000 /dev/zero | tr '\\0' x >&4 ~ 1 ~ mayfly: the runner wrote 64 KB without an end of the line ~ another
          printf '{"task":"%s","exitCode":0}\\n{"task":"%s","exitCode":0}\\n' "$(value task)" "$(value task)" >&4 ~ 0 ~ '' ~ another
          echo '{"task":"j1/1/s0e3","exitCode":4,"message":"no weights","last":true}' >&4; read -r task <&3 ~ 4 ~ mayfly: no weights ~ another
          """)
  void oneTasksFailureIsItsOwn(String does, int code, String words, String next) throws Exception {
    var jobInfo = job(PLAIN, LOOP.formatted("1", does));
    assertThat(exit(run(0, jobInfo)).exitCode()).isZero();

    var end = exit(run(1, jobInfo));

    assertThat(end.exitCode()).isEqualTo(code);
    assertThat(end.cause()).isEqualTo(FailureCause.USER);
    assertThat(end.evidence()).contains(words.replace("''", "").replace("\\n", "\n"));
    var second = exit(run(2, jobInfo));
    assertThat(second.exitCode()).isZero();
    assertThat(process(2) == process(0)).isEqualTo(next.equals("the same"));
    assertThat(log(2)).startsWith("words of ");
    if (!next.equals("the same")) assertThat(ProcessAwait.gone(process(0))).isTrue();
  }

  @Test
  void startsAgainAfterSoManyTasks() throws Exception {
    var jobInfo = job(new TaskEnvironment.Runner(Optional.of(2), Optional.empty()), plainly());
    for (var index = 0; index < 3; index++) exit(run(index, jobInfo));

    assertThat(process(1)).isEqualTo(process(0));
    assertThat(process(2)).isNotEqualTo(process(0));
    assertThat(ProcessAwait.gone(process(0))).isTrue();
  }

  @Test
  void startsAgainWhenItHoldsTooMuchMemory() throws Exception {
    var jobInfo = job(new TaskEnvironment.Runner(Optional.empty(), Optional.of(1L)), plainly());
    exit(run(0, jobInfo));
    exit(run(1, jobInfo));

    assertThat(process(1)).isNotEqualTo(process(0));
    assertThat(log(0)).contains("mayfly: the runner is started again: after this task it holds ");
  }

  @Test
  void eachTaskHasItsOwnVariablesAndMetrics() throws Exception {
    var body =
        "echo '{\"step\": 4}' >\"$(value MAYFLY_METRICS)\"; ls -d \"$(value TMPDIR)\" \"$(value folder)\" >/dev/null && echo $MAYFLY_JOB $MAYFLY_INDEX $KEPT $(value MAYFLY_VAR_LR); answer $?";
    var item = new TaskItem(3, Optional.empty(), Map.of("lr", "0.5"));
    bench.taskExecutor.start(
        new AgentEffect.Start(attempt(3), job(PLAIN, LOOP.formatted("3", body)), item, List.of()));

    assertThat(bench.nextBesidesUse())
        .isEqualTo(new AgentEvent.MetricsRead(attempt(3), Map.of("step", 4.0)));
    assertThat(exit(attempt(3)).exitCode()).isZero();
    assertThat(log(3)).isEqualTo("j1 yes 0.5\n");
  }

  @Test
  void codeIsWhereTheProgramStarts() throws Exception {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("words.txt"));
      zip.write("from the bundle\n".getBytes(UTF_8));
      zip.closeEntry();
    }
    var digest = MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray());
    var hash = HexFormat.of().formatHex(digest);
    bench.objects.put("gs://lab/mayfly/.code/" + hash + ".zip", bytes.toByteArray());
    var script = LOOP.formatted("[01]", "cat words.txt; ls \"$(value folder)\"; answer 0");
    var code = Optional.of("gs://lab/mayfly/.code/" + hash + ".zip");
    var jobInfo =
        TestJobs.with(TaskEnvironment.NONE.with(PLAIN), TestJobs.jobInfo(code, "sh", "-c", script));

    for (var index = 0; index < 2; index++)
      assertThat(exit(run(index, jobInfo)).exitCode()).isZero();

    assertThat(log(0)).isEqualTo("from the bundle\n");
    assertThat(log(1)).isEqualTo("from the bundle\n");
  }

  @Test
  void rotatedSecretStartsAnother() throws Exception {
    bench.close();
    var value = new AtomicReference<>("first");
    bench = new TaskExecutorFixture(root.resolve("other"), reference -> value.get());
    var script = LOOP.formatted("[01]", "echo $TOKEN >\"$(value output)\"; answer 0");
    var secretly = TestJobs.secretly(Map.of("TOKEN", "t"), List.of("sh", "-c", script));
    var jobInfo = TestJobs.with(TaskEnvironment.NONE.with(PLAIN), secretly);
    exit(run(0, jobInfo));
    value.set("second");
    exit(run(1, jobInfo));

    assertThat(output(0)).isEqualTo("first\n");
    assertThat(output(1)).isEqualTo("second\n");
  }

  @Test
  void tooManyVariablesAreRefusedAndTheProcessStays() throws Exception {
    exit(run(0));
    var item = new TaskItem(1, Optional.empty(), Map.of("text", "x".repeat(70_000)));
    bench.taskExecutor.start(new AgentEffect.Start(attempt(1), job(), item, List.of()));

    assertThat(bench.nextBesidesUse())
        .isInstanceOfSatisfying(
            AgentEvent.StartFailed.class,
            failed ->
                assertThat(failed.evidence())
                    .startsWith("runner: a task's variables are ")
                    .endsWith("put the rest in a file"));
    exit(run(2));
    assertThat(process(2)).isEqualTo(process(0));
  }

  @Test
  void programThatIsNotThereIsTheUsersFault() throws Exception {
    var missing = TestJobs.jobInfo(Optional.empty(), "no-such-program");
    start(0, TestJobs.with(TaskEnvironment.NONE.with(PLAIN), missing));

    assertThat(bench.nextBesidesUse())
        .isInstanceOfSatisfying(
            AgentEvent.StartFailed.class,
            failed -> assertThat(failed.evidence()).startsWith("command not found"));
  }

  /** The page's own runner, so that it stays one. */
  @Test
  void documentedRunnerRuns() throws Exception {
    var page = Files.readString(Path.of("../docs/tasks.md"));
    var from = page.indexOf("```sh\n", page.indexOf("## Programs that stay"));
    var script = page.substring(from + 6, page.indexOf("```\n", from + 6));
    bench.objects.put("gs://lab/in/a.txt", "hello\n");
    var plain = job(PLAIN, script);
    for (var index = 0; index < 2; index++) {
      var item = new TaskItem(index, Optional.of("gs://lab/in/a.txt"), Map.of());
      bench.taskExecutor.start(
          new AgentEffect.Start(attempt(index), TestJobs.downloading(plain), item, List.of()));
      assertThat(bench.nextBesidesUse()).isInstanceOf(AgentEvent.InputFound.class);
      assertThat(exit(attempt(index)).exitCode()).isZero();
      assertThat(output(index)).isEqualTo("HELLO\n");
    }
  }
}
