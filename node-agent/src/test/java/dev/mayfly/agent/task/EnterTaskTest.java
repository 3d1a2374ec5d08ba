package dev.mayfly.agent.task;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.TaskItem;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The bundle's {@code enter-task}, beside real tasks. */
@Timeout(120)
class EnterTaskTest {
  private static final Path PROGRAM = Path.of("src/bundle/enter-task").toAbsolutePath();

  @TempDir Path root;
  private final List<Process> started = new ArrayList<>();

  /** No other test of this computer has such a job. */
  private final String job = "j" + UUID.randomUUID();

  private TaskExecutorFixture bench;

  @BeforeEach
  void open() throws IOException {
    bench = new TaskExecutorFixture(root, reference -> "");
  }

  @AfterEach
  void close() throws Exception {
    for (var process : started) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    bench.close();
  }

  private record Ran(int code, String output, String errors) {}

  private static Ran run(List<String> words) throws Exception {
    var line = new ArrayList<>(List.of("bash", PROGRAM.toString()));
    line.addAll(words);
    var builder = new ProcessBuilder(line);
    var errors = Files.createTempFile("enter-task", ".log");
    var process = builder.redirectError(errors.toFile()).start();
    process.getOutputStream().close();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    var ran = new Ran(process.waitFor(), output, Files.readString(errors));
    Files.delete(errors);
    return ran;
  }

  private Ran enter(long index, String... command) throws Exception {
    var words = new ArrayList<>(List.of(job, Long.toString(index)));
    words.addAll(List.of(command));
    return run(words);
  }

  /** Starts a task by the agent's own executor, and waits for its first line in {@code file}. */
  private TaskAttempt start(long index, Map<String, String> env, String script) {
    var attempt = new TaskAttempt(new LeaseRef(job, 0, 1), index);
    var jobInfo = TestJobs.withEnv(env, "sh", "-c", script);
    var item = new TaskItem(index, Optional.empty(), Map.of());
    bench.taskExecutor.start(new AgentEffect.Start(attempt, jobInfo, item, List.of()));
    return attempt;
  }

  private void awaitTask(long index) throws Exception {
    assertThat(run(List.of("--wait", "60", job, Long.toString(index), "true")).code()).isZero();
  }

  @Test
  void commandHasFolderAndEnvironmentOfTask() throws Exception {
    var ready = root.resolve("ready");
    assertThat(new ProcessBuilder("mkfifo", ready.toString()).start().waitFor()).isZero();
    // Names that the program could use itself, and a shell's own.
    var env =
        Map.of(
            "name",
            "x y",
            "folder",
            "two\nlines",
            "IFS",
            ":",
            "pid",
            "1",
            "start",
            "2",
            "GREETING",
            "it's",
            "READY",
            ready.toString());
    var attempt =
        start(
            3, env, "env -0 > theirs; echo of the task > file; echo > \"$READY\"; exec sleep 1000");
    awaitTask(3);
    // The task runs before its files are there.
    assertThat(Files.readString(ready)).isEqualTo("\n");

    assertThat(enter(3, "cat", "file")).isEqualTo(new Ran(0, "of the task\n", ""));
    assertThat(variables(enter(3, "env", "-0").output()))
        .isEqualTo(variables(enter(3, "cat", "theirs").output()));
    assertThat(enter(3, "sh", "-c", "exit 41").code()).isEqualTo(41);
    assertThat(enter(3, "printf", "%s|", "a b", "$(id)", "", "'").output())
        .isEqualTo("a b|$(id)||'|");
    bench.taskExecutor.kill(TestJobs.kill(attempt, Duration.ZERO));
    assertThat(bench.next()).isInstanceOf(AgentEvent.Killed.class);
  }

  /** Without those of the session, and of shells. */
  private static List<String> variables(String text) {
    return List.of(text.split("\0")).stream()
        .filter(pair -> !pair.matches("(?s)(MAYFLY_SESSION|TERM|SHLVL|OLDPWD|_)=.*"))
        .sorted()
        .toList();
  }

  /** Such a process may be a root that has no rights here, with an environment of its choice. */
  @Test
  void processOfContainerIsNotTaken() throws Exception {
    var line =
        new ArrayList<>(List.of("unshare", "--user", "--map-root-user", "--pid", "--fork", "env"));
    // Only the process inside is marked, not that of unshare.
    line.addAll(List.of("MAYFLY_TASK_ID=" + job + "/5/s0e1", "MAYFLY_TASK_OF=" + root));
    line.addAll(List.of("sh", "-c", "echo runs; exec sleep 1000"));
    var process = new ProcessBuilder(line).redirectErrorStream(true).start();
    started.add(process);
    assumeThat(process.inputReader().readLine()).as("namespaces are allowed").isEqualTo("runs");

    assertThat(enter(5, "cat", "/proc/self/status").code()).isEqualTo(93);
  }

  @Test
  void missingTaskAndProgramAreTold() throws Exception {
    start(3, Map.of(), "exec sleep 1000");
    awaitTask(3);

    assertThat(enter(4, "true").code()).isEqualTo(93);
    assertThat(enter(4, "true").errors())
        .contains("mayfly: task 4 of job " + job + " does not run on this machine now");
    assertThat(run(List.of("--rank", "1", job, "3", "true")).code()).isEqualTo(93);
    assertThat(run(List.of("--rank", "0", job, "3", "true")).code()).isZero();
    assertThat(enter(3, "no-such-program").code()).isEqualTo(127);
    assertThat(run(List.of("--address", job, "3")).output()).isEqualTo("localhost\n");
    for (var wrong :
        List.of(List.of("a b", "3"), List.of(".*", "3"), List.of(job, "x"), List.of("--odd")))
      assertThat(run(wrong).code()).as("%s", wrong).isEqualTo(95);
  }

  @Test
  void sessionEndsWithItsTask() throws Exception {
    start(3, Map.of(), "while [ ! -e " + root.resolve("go") + " ]; do sleep 0.1; done");
    awaitTask(3);
    var line =
        List.of(
            "bash", PROGRAM.toString(), job, "3", "sh", "-c", "echo up; sleep 1000; sleep 1000");
    var session = new ProcessBuilder(line).start();
    started.add(session);
    try (BufferedReader reader = session.inputReader()) {
      assertThat(reader.readLine()).isEqualTo("up");
      Files.createFile(root.resolve("go"));

      assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
      assertThat(session.waitFor()).isGreaterThan(128);
      // The end of the output: no process of the session holds it any more.
      assertThat(reader.readLine()).isNull();
    }
  }

  @Test
  void shellReadsInputAndHoldsUpNoKill() throws Exception {
    var attempt = start(3, Map.of(), "exec sleep 1000");
    awaitTask(3);
    var line =
        List.of(
            "bash",
            PROGRAM.toString(),
            job,
            "3",
            "sh",
            "-c",
            // Its sleep may be killed before the shell itself.
            "trap '' TERM; echo up; sleep 1000 & wait; exit 200");
    var session = new ProcessBuilder(line).start();
    started.add(session);
    assertThat(session.inputReader().readLine()).isEqualTo("up");
    var before = System.nanoTime();

    bench.taskExecutor.kill(TestJobs.kill(attempt, Duration.ofSeconds(60)));
    assertThat(bench.next()).isInstanceOf(AgentEvent.Killed.class);

    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(30));
    assertThat(session.waitFor()).isGreaterThan(128);
  }

  @Test
  void containerIsEnteredByItsEngine() throws Exception {
    var engine = root.resolve("docker");
    Files.writeString(
        engine,
        """
        #!/bin/sh
        case $1 in
          run) sleep 1000 ;;
          inspect) echo 172.17.0.2/ ;;
          *) printf '%s|' "$@" ;;
        esac
        """);
    assertThat(engine.toFile().setExecutable(true)).isTrue();
    var client =
        new ProcessBuilder(
            engine.toString(), "run", "--init", "--name", "mayfly-1-x", "image", "cmd");
    client.environment().clear();
    client
        .environment()
        .putAll(
            Map.of(
                "PATH",
                "/usr/bin:/bin",
                "PWD",
                root.toString(),
                "MAYFLY_TASK_ID",
                job + "/3/s0e1",
                "MAYFLY_TASK_OF",
                root.toString()));
    started.add(client.start());
    awaitTask(3);

    assertThat(enter(3, "echo", "it's").output())
        .isEqualTo("exec|--interactive|--workdir|" + root + "|--|mayfly-1-x|echo|it's|");
    assertThat(run(List.of("--address", job, "3")).output()).isEqualTo("172.17.0.2\n");
  }

  @Test
  void rootBecomesTheTasksUser() throws Exception {
    assumeThat(System.getProperty("user.name")).isEqualTo("root");
    Files.setPosixFilePermissions(
        root, java.nio.file.attribute.PosixFilePermissions.fromString("rwxrwxrwx"));
    // The library would be loaded into every program of root's otherwise.
    var task =
        new ProcessBuilder(
            "setpriv",
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
            "env",
            "LD_PRELOAD=/no/such.so",
            "sleep",
            "1000");
    task.environment().clear();
    task.environment()
        .putAll(
            Map.of(
                "PATH",
                "/usr/bin:/bin",
                "PWD",
                "/tmp",
                "MAYFLY_TASK_ID",
                job + "/3/s0e1",
                "MAYFLY_TASK_OF",
                root.toString()));
    started.add(task.start());
    awaitTask(3);

    var ran = enter(3, "sh", "-c", "id -u; id -g; grep NoNewPrivs /proc/self/status");
    assertThat(ran.output()).isEqualTo("65534\n65534\nNoNewPrivs:\t1\n");
    // Said by the linker of programs that run as that user; by none before.
    assertThat(ran.errors().lines()).allMatch(said -> said.contains("/no/such.so"));
  }
}
