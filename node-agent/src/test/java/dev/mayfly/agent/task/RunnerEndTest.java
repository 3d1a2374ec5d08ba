package dev.mayfly.agent.task;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.process.ProcessAwait;
import dev.mayfly.agent.process.kill.ProcessTreeKiller;
import dev.mayfly.agent.runner.RunnerFixture;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.StopReason;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.TaskItem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a program that is given task after task ends. */
@Timeout(300)
final class RunnerEndTest extends RunnerFixture {
  @Test
  void stopEndsTheProcessAndAllThatItStarted() throws Exception {
    var child = root.resolve("child.sh");
    Files.writeString(child, "echo $$ \"$1\" >" + pipe() + "; exec sleep 600");
    var jobInfo =
        job(PLAIN, LOOP.formatted("1", "setsid sh " + child + " \"$(value MAYFLY_STOP)\" & wait"));
    exit(run(0, jobInfo));
    start(1, jobInfo);
    var words = Files.readString(pipe()).strip().split(" ");
    var process = process(0);

    bench.taskExecutor.kill(TestJobs.kill(attempt(1), Duration.ofSeconds(5), StopReason.TIMEOUT));

    assertThat(bench.nextBesidesUse())
        .isInstanceOfSatisfying(
            AgentEvent.Killed.class, end -> assertThat(end.exitCode()).isGreaterThan(128));
    assertThat(ProcessAwait.gone(process)).isTrue();
    assertThat(ProcessAwait.gone(Long.parseLong(words[0]))).isTrue();
    assertThat(Files.readString(Path.of(words[1]))).isEqualTo("timeout\n");
    exit(run(2, jobInfo));
    assertThat(process(2)).isNotEqualTo(process);
  }

  /** A program that puts things in order at SIGTERM, and answers, has ended by itself. */
  @Test
  void answerWithinTheGraceCounts() throws Exception {
    var asked =
        "trap 'answer 0; asked=yes' TERM; echo up >"
            + pipe()
            + "; until [ \"$asked\" ]; do sleep 600 & wait $!; done";
    var jobInfo = job(PLAIN, LOOP.formatted("1", asked));
    start(1, jobInfo);
    assertThat(Files.readString(pipe())).isEqualTo("up\n");

    bench.taskExecutor.kill(TestJobs.kill(attempt(1), Duration.ofMinutes(2)));

    assertThat(bench.nextBesidesUse()).isEqualTo(new AgentEvent.Killed(attempt(1), 0));
    assertThat(ProcessAwait.gone(process(1))).isTrue();
  }

  @Test
  void idleOneEndsAfterMinute() throws Exception {
    exit(run(0));
    var process = process(0);

    bench.taskExecutor.endIdleRunners(System.nanoTime() + Duration.ofSeconds(61).toNanos());

    assertThat(ProcessAwait.gone(process)).isTrue();
    exit(run(1));
    assertThat(process(1)).isNotEqualTo(process);
  }

  @Test
  void idleOneStaysWithinMinute() throws Exception {
    exit(run(0));

    bench.taskExecutor.endIdleRunners(System.nanoTime() + Duration.ofSeconds(30).toNanos());
    bench.taskExecutor.sweep();

    exit(run(1));
    assertThat(process(1)).isEqualTo(process(0));
  }

  @Test
  void idleOneMakesRoomForAnotherJob() throws Exception {
    exit(run(0));
    var other = new TaskAttempt(new LeaseRef("j2", 0, 3), 0);
    var command = TestJobs.jobInfo(Optional.empty(), "sh", "-c", "! kill -0 " + process(0));

    bench.taskExecutor.start(new AgentEffect.Start(other, command, TaskItem.counted(0), List.of()));

    assertThat(exit(other).exitCode()).isZero();
  }

  @Test
  void idleOneEndsWithJobAndAgent() throws Exception {
    exit(run(0));
    var process = process(0);
    bench.taskExecutor.kill(TestJobs.kill(attempt(9), Duration.ZERO));
    assertThat(ProcessAwait.gone(process)).isTrue();
    assertThat(bench.nextBesidesUse()).isEqualTo(new AgentEvent.Killed(attempt(9)));

    exit(run(1));
    bench.taskExecutor.endRunners().get(60, SECONDS);
    assertThat(ProcessAwait.gone(process(1))).isTrue();
  }

  /** Without its variables the next agent knows it by its session. */
  @Test
  void nextAgentEndsWhatTheFirstOneLeft() throws Exception {
    var again = "exec env -i PATH=/usr/bin:/bin sh -c 'echo up; read -r task <&3'";
    var jobInfo = job(PLAIN, LOOP.formatted("0", "answer 0; echo up >" + pipe() + "; " + again));
    exit(run(0, jobInfo));
    assertThat(Files.readString(pipe())).isEqualTo("up\n");
    var process = process(0);
    bench.taskExecutor.deleteWorkDir(attempt(0)).get(60, SECONDS);

    ProcessTreeKiller.killEarlier(bench.workDir.root(), Duration.ofSeconds(20));

    assertThat(ProcessAwait.gone(process)).isTrue();
  }
}
