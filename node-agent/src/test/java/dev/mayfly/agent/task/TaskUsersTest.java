package dev.mayfly.agent.task;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mayfly.agent.container.ContainerEngine;
import dev.mayfly.agent.container.RegistryLogin;
import dev.mayfly.agent.files.FileTrees;
import dev.mayfly.agent.process.FakePrograms;
import dev.mayfly.agent.process.TaskUser;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.output.ProducedOutput;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.JobInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks as real processes of another user, where this user may start some. */
@Timeout(300)
final class TaskUsersTest {
  private static final TaskAttempt ATTEMPT = new TaskAttempt(new LeaseRef("j1", 0, 3), 7);
  private static final int NOBODY = 65534;

  private static final TaskUsers USERS =
      new TaskUsers(
          Optional.of(new TaskUser("nobody", NOBODY, NOBODY, Path.of("/nonexistent"))),
          Optional.of(new TaskUser("daemon", 1, 1, Path.of("/other"))));

  private Path root;
  private TaskExecutorFixture bench;

  @BeforeEach
  void open() throws IOException {
    assumeTrue(
        System.getProperty("user.name").equals("root") && Files.exists(Path.of("/usr/bin/setpriv")),
        "only root starts processes of other users");
    // Other users must be able to reach it.
    root = Files.createTempDirectory("mayfly-users");
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx--x--x"));
    bench = new TaskExecutorFixture(root, reference -> "", USERS);
  }

  @AfterEach
  void close() throws IOException {
    if (bench == null) return;
    bench.close();
    FileTrees.delete(root);
  }

  @Test
  void taskRunsAsOtherUserWithOutput() throws Exception {
    var end =
        run(
            TestJobs.jobInfo(
                Optional.empty(),
                "sh",
                "-c",
                "id -u; id -g; echo $HOME $USER;"
                    + " pwd >>/dev/stdout; echo left >$MAYFLY_OUTPUT; touch here"));

    assertThat(end.exitCode()).isZero();
    var left = (ProducedOutput.OneFile) bench.taskExecutor.producedOutput(ATTEMPT);
    assertThat(left.content().open()).hasContent("left\n");
    assertThat(log())
        .startsWith("65534\n65534\n/nonexistent nobody\n")
        .endsWith("/attempts/1/work\n");
  }

  @Test
  void agentFilesAreOutOfReach() throws Exception {
    var work = bench.workDir.root();
    var end =
        run(
            TestJobs.jobInfo(
                Optional.empty(),
                "sh",
                "-c",
                "for f in logs code attempts lock attempts/1; do ls "
                    + work
                    + "/$f/ 2>&1; done;"
                    + " echo x >"
                    + work
                    + "/attempts/1/notice/deadline || echo kept;"
                    + " mv "
                    + work
                    + "/attempts/1 "
                    + work
                    + "/attempts/2 || echo stays"));

    assertThat(end.exitCode()).isZero();
    assertThat(log()).contains("kept", "stays").doesNotContain(".log");
    assertThat(log().lines().filter(l -> l.contains("Permission denied"))).hasSizeGreaterThan(4);
  }

  @Test
  void jobVariablesGainNoAgentRights() throws Exception {
    // What the loader prints for LD_DEBUG about each program goes to the log.
    var end =
        run(
            TestJobs.withEnv(
                Map.of("LD_DEBUG", "libs", "A", "it's $(x) \"two\"\nlines", "IFS", "x"),
                "sh",
                "-c",
                "echo \"$A\"; echo debug=$LD_DEBUG"));

    assertThat(end.exitCode()).isZero();
    assertThat(log()).contains("it's $(x) \"two\"\nlines\n", "debug=libs");
    assertThat(log()).doesNotContain("setpriv");
  }

  @Test
  void rightsSelectTheUser() throws Exception {
    var plain = TestJobs.jobInfo(Optional.empty(), "id", "-u");

    run(TestJobs.with(new TaskRights(false, true, false), plain));
    assertThat(log()).isEqualTo("1\n");
    bench.taskExecutor.deleteWorkDir(ATTEMPT).get(120, SECONDS);
    bench.objects.clear();
    run(TestJobs.with(new TaskRights(true, false, false), plain));
    assertThat(log()).isEqualTo("0\n");
  }

  @Test
  void containerRunsAsFolderOwner() throws Exception {
    bench.close();
    var programs = new FakePrograms(Files.createDirectory(root.resolve("bin"))).with("docker", "");
    var login = new RegistryLogin(root.resolve("login"), () -> "", reference -> "");
    var engine = new ContainerEngine(programs.alone(), login, List.of(), time -> {});
    bench = new TaskExecutorFixture(root, USERS, engine);

    var end = run(TestJobs.inImage("lab/x:1", Resources.cpu(1, 0), "train"));

    assertThat(end.exitCode()).isZero();
    assertThat(programs.arguments("docker")).contains("--user=65534:65534", "--cap-drop=ALL");
  }

  @Test
  void folderOfOtherUserIsNotReused() throws Exception {
    run(TestJobs.jobInfo(Optional.empty(), "mkdir", "-p", "a/b/c"));
    bench.taskExecutor.deleteWorkDir(ATTEMPT).get(120, SECONDS);

    assertThat(bench.workDir.root().resolve("attempts")).isEmptyDirectory();
    try (var next = bench.workDir.attempt()) {
      assertThat(next.folder()).hasFileName("2");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(next.folder())))
          .as("nobody else gets there before it is handed over")
          .isEqualTo("rwx------");
    }
  }

  private AgentEvent.Exited run(JobInfo jobInfo) throws InterruptedException {
    bench.taskExecutor.start(
        new AgentEffect.Start(ATTEMPT, jobInfo, TaskItem.counted(7), List.of()));
    return (AgentEvent.Exited) bench.next();
  }

  private String log() throws Exception {
    bench.logUploader.flush().get(120, SECONDS);
    return String.join("", bench.objects.texts("gs://lab/mayfly/.jobs/j1/logs/"));
  }
}
