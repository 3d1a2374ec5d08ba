package dev.mayfly.agent.task;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mayfly.agent.files.FileTrees;
import dev.mayfly.agent.process.TaskUser;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.StopReason;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.wire.SubmitterCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real tasks with the right to submit jobs, and the file with their tokens. */
@Timeout(120)
final class SubmitterTaskTest {
  private static final TaskAttempt ATTEMPT = new TaskAttempt(new LeaseRef("j1", 0, 1), 0);
  private static final Instant NOON = Instant.parse("2026-11-25T12:00:00Z");
  private static final Map<String, String> PATH = Map.of("PATH", "/usr/bin:/bin");

  private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
  private final AtomicInteger made = new AtomicInteger();
  private final LinkedBlockingQueue<Integer> requests = new LinkedBlockingQueue<>();
  private Path root;
  private TaskExecutorFixture bench;

  /** The second request fails. */
  private SubmitterCredentials token() {
    var number = made.incrementAndGet();
    requests.add(number);
    if (number == 2) throw new UnavailableException("IAM stutters, on purpose");
    return new SubmitterCredentials("access-" + number, "identity", NOON);
  }

  @BeforeEach
  void makeFolder() throws IOException {
    // Other users cannot look into the usual one.
    root = Files.createTempDirectory(Path.of("/tmp"), "submitter");
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void open(TaskUsers users) throws IOException {
    InstantSource clock = now::get;
    var access =
        new SubmitterAccess(
            () -> "lab-batch", Map.of("MAYFLY_API_URL", "http://api"), this::token, clock);
    bench =
        new TaskExecutorFixture(root, users, PATH, new TaskAccess(Map.of(), Optional.of(access)));
  }

  @AfterEach
  void close() throws IOException {
    if (bench != null) bench.close();
    FileTrees.delete(root);
  }

  private AgentEvent run(TaskRights rights, String script) throws InterruptedException {
    start(rights, script);
    return bench.next();
  }

  private void start(TaskRights rights, String script) {
    var jobInfo = TestJobs.owned("ann", TestJobs.jobInfo(Optional.empty(), "sh", "-c", script));
    var item = new TaskItem(0, Optional.empty(), Map.of());
    bench.taskExecutor.start(
        new AgentEffect.Start(ATTEMPT, TestJobs.with(rights, jobInfo), item, List.of(), Map.of()));
  }

  private Path tokenFile() {
    return bench.workDir.root().resolve("attempts/1/notice/token");
  }

  private String log() throws IOException {
    return Files.readString(bench.workDir.root().resolve("logs/1.log"));
  }

  @Test
  void taskFindsTokensForItselfAlone() throws Exception {
    open(TaskUsers.NONE);

    var end =
        run(
            new TaskRights(false, false, true),
            "stat -c '%a %u' $MAYFLY_TOKEN_FILE; id -u; cat $MAYFLY_TOKEN_FILE; echo;"
                + " echo $MAYFLY_PROJECT $MAYFLY_CLUSTER $MAYFLY_OWNER $MAYFLY_API_URL");

    assertThat(((AgentEvent.Exited) end).exitCode()).isZero();
    var lines = log().lines().toList();
    assertThat(lines.get(0)).isEqualTo("600 " + lines.get(1));
    assertThat(lines.get(2)).contains("\"accessToken\":\"access-1\"", "\"identityToken\"");
    assertThat(lines.get(3)).isEqualTo("lab-batch cluster ann http://api");
    assertThat(tokenFile()).as("gone with the last process").doesNotExist();
  }

  @Test
  void otherUsersTokenIsTheirs() throws Exception {
    var nobody = TaskUser.find("nobody", Path.of("/etc/passwd"));
    assumeTrue(
        nobody.isPresent() && (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0,
        "only root can run tasks as another user");
    open(new TaskUsers(nobody, nobody));

    var end =
        run(
            new TaskRights(false, false, true),
            "stat -c '%a %U' $MAYFLY_TOKEN_FILE; grep -c access-1 $MAYFLY_TOKEN_FILE;"
                + " rm -f $MAYFLY_TOKEN_FILE || echo stays");

    assertThat(((AgentEvent.Exited) end).exitCode()).isZero();
    assertThat(log()).startsWith("600 nobody\n1\n").endsWith("stays\n");
    assertThat(tokenFile()).doesNotExist();
  }

  @Test
  void taskWithoutTheRightFindsNone() throws Exception {
    open(TaskUsers.NONE);

    run(new TaskRights(false, true, false), "echo \"[$MAYFLY_TOKEN_FILE]\"; ls ../notice");

    assertThat(log()).isEqualTo("[]\n");
    assertThat(made).hasValue(0);
  }

  @Test
  void tokensAreRenewedLongBeforeTheyExpire() throws Exception {
    open(TaskUsers.NONE);
    start(new TaskRights(false, false, true), "exec sleep 1000");
    assertThat(requests.poll(60, SECONDS)).isEqualTo(1);

    assertThat(nextRequest()).as("fails").isEqualTo(2);
    assertThat(Files.readString(tokenFile())).contains("access-1");
    assertThat(nextRequest()).isEqualTo(3);

    bench.taskExecutor.kill(TestJobs.kill(ATTEMPT, Duration.ZERO, StopReason.STOPPED));
    assertThat(bench.nextBesidesUse()).isInstanceOf(AgentEvent.Killed.class);
    assertThat(tokenFile()).as("no late renewal brings it back").doesNotExist();
  }

  /** Observes, as the agent does each second, while time passes, until tokens are asked for. */
  private int nextRequest() throws InterruptedException {
    Integer next = null;
    while (next == null) {
      now.updateAndGet(at -> at.plus(Duration.ofMinutes(1)));
      bench.taskExecutor.observe();
      next = requests.poll(20, MILLISECONDS);
    }
    return next;
  }

  @Test
  void renewalWaitsUntilItIsDue() throws Exception {
    open(TaskUsers.NONE);
    try (var dir = bench.workDir.attempt()) {
      var access = new SubmitterAccess(() -> "lab", Map.of(), this::token, now::get);
      var file = new SubmitterTokenFile(dir, Optional.empty(), access);
      file.write();
      assertThat(file.takeDue()).isFalse();
      now.set(NOON.plus(Duration.ofMinutes(20)));
      assertThat(file.takeDue()).isTrue();
      assertThat(file.takeDue()).as("one renewal at a time").isFalse();

      file.renew();
      assertThat(file.takeDue()).isFalse();
      now.set(now.get().plus(Duration.ofMinutes(1)));
      assertThat(file.takeDue()).as("soon again after a failure").isTrue();
      file.renew();
      assertThat(Files.readString(dir.token())).contains("access-3");

      file.delete();
      file.renew();
      assertThat(dir.token()).doesNotExist();
    }
  }

  @Test
  void machineThatCannotReturnsTheTask() throws Exception {
    bench = new TaskExecutorFixture(root, TaskUsers.NONE, PATH, TaskAccess.NONE);

    var end = run(new TaskRights(false, false, true), "true");

    assertThat(end)
        .isInstanceOfSatisfying(
            AgentEvent.StartFailed.class,
            failed -> {
              assertThat(failed.cause()).isEqualTo(FailureCause.INFRASTRUCTURE);
              assertThat(failed.evidence()).contains("cannot let a task submit jobs");
            });
  }
}
