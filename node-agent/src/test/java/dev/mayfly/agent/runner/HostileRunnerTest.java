package dev.mayfly.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.process.ProcessAwait;
import dev.mayfly.agent.task.TestJobs;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.StopReason;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.job.TaskEnvironment;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Programs that do what none should: real ones. What they do is one task's, and others are whole.
 */
@Timeout(300)
final class HostileRunnerTest extends RunnerFixture {
  /** 100 MB without an end of a line, where an answer should be. */
  @Test
  void endlessAnswerFailsItsTaskAlone() throws Exception {
    var jobInfo = job(PLAIN, LOOP.formatted("1", "head -c 100000000 /dev/zero >&4"));
    exit(run(0, jobInfo));

    var end = exit(run(1, jobInfo));

    assertThat(end.exitCode()).isEqualTo(1);
    assertThat(end.cause()).isEqualTo(FailureCause.USER);
    assertThat(end.evidence())
        .isEqualTo("mayfly: the runner wrote 64 KB without an end of the line");
    assertThat(exit(run(2, jobInfo)).exitCode()).isZero();
    assertThat(log(2)).isEqualTo("words of 1\n");
  }

  /** And with bytes that begin as the agent's own marks do. */
  @Test
  void endlessWordsAreItsTasksAlone() throws Exception {
    var words =
        "head -c 20000000 /dev/zero | tr '\\0' x; printf '\\0mayfly:1\\0\\nend\\0'; answer 0";
    var jobInfo = job(PLAIN, LOOP.formatted("1", words));
    exit(run(0, jobInfo));

    assertThat(exit(run(1, jobInfo)).exitCode()).isZero();

    exit(run(2, jobInfo));
    assertThat(process(2)).isEqualTo(process(0));
    assertThat(log(2)).isEqualTo("words of 3\n");
    assertThat(log(1)).startsWith("xxxx");
    assertThat(lastPiece(1)).endsWith("x\0mayfly:1\0\nend\0");
  }

  private String lastPiece(long index) {
    return bench
        .objects
        .texts("gs://lab/mayfly/.jobs/j1/logs/%08d/s0e3/".formatted(index))
        .getLast();
  }

  /** A process that its program has hidden: in a session of its own, without the variables. */
  @Test
  void childThatOutlivesItsProgramEndsWithTheTask() throws Exception {
    var hidden = "setsid env -i /bin/sh -c 'echo $$ >\"$0\"; exec sleep 600' " + pipe() + " & ";
    var jobInfo = job(PLAIN, LOOP.formatted("1", hidden + "wait"));
    exit(run(0, jobInfo));
    start(1, jobInfo);
    var child = Long.parseLong(Files.readString(pipe()).strip());

    ProcessHandle.of(process(0)).orElseThrow().destroyForcibly();

    assertThat(exit(attempt(1)).exitCode()).isEqualTo(137);
    assertThat(ProcessAwait.gone(child)).isTrue();
    assertThat(exit(run(2, jobInfo)).exitCode()).isZero();
  }

  @Test
  void hangThatHearsNothingIsKilledAfterItsGrace() throws Exception {
    var deaf = "trap '' TERM; echo deaf >" + pipe() + "; while :; do sleep 600; done";
    var jobInfo = job(PLAIN, LOOP.formatted("1", deaf));
    exit(run(0, jobInfo));
    start(1, jobInfo);
    assertThat(Files.readString(pipe())).isEqualTo("deaf\n");

    bench.taskExecutor.kill(TestJobs.kill(attempt(1), Duration.ofSeconds(1), StopReason.TIMEOUT));

    assertThat(bench.nextBesidesUse()).isEqualTo(new AgentEvent.Killed(attempt(1), 137));
    assertThat(ProcessAwait.gone(process(0))).isTrue();
    assertThat(exit(run(2, jobInfo)).exitCode()).isZero();
  }

  /** The second answer comes when nobody has a task. */
  @Test
  void secondAnswerFailsNoTask() throws Exception {
    var twice = "answer 0; read -r go <" + pipe() + "; answer 0; sleep 600";
    var jobInfo = job(PLAIN, LOOP.formatted("1", twice));
    exit(run(0, jobInfo));
    assertThat(exit(run(1, jobInfo)).exitCode()).isZero();

    Files.writeString(pipe(), "go\n");

    assertThat(ProcessAwait.gone(process(1))).isTrue();
    assertThat(exit(run(2, jobInfo)).exitCode()).isZero();
    assertThat(log(2)).isEqualTo("words of 1\n");
  }

  /** The second answer comes when the next task is given: that one is not at fault. */
  @Test
  void lateSecondAnswerIsNoFaultOfNextTask() throws Exception {
    var late = "old=$task; answer 0 ;; 2) task=$old; answer 0; sleep 600";
    var jobInfo = job(PLAIN, LOOP.formatted("1", late));
    exit(run(0, jobInfo));
    assertThat(exit(run(1, jobInfo)).exitCode()).isZero();

    var end = exit(run(2, jobInfo));

    assertThat(end.cause()).isEqualTo(FailureCause.INFRASTRUCTURE);
    assertThat(end.evidence())
        .isEqualTo("mayfly: the runner answered again for j1/1/s0e3; this task runs again");
    assertThat(ProcessAwait.gone(process(0))).isTrue();
    assertThat(exit(run(3, jobInfo)).exitCode()).isZero();
  }

  /** The next task may be given before anybody has seen that: then it is no fault of its own. */
  @Test
  void endBetweenTwoTasksFailsNeither() throws Exception {
    var jobInfo = job(PLAIN, LOOP.formatted("1", "answer 0; exit 3"));
    exit(run(0, jobInfo));
    assertThat(exit(run(1, jobInfo)).exitCode()).isZero();
    assertThat(ProcessAwait.gone(process(1))).isTrue();

    var end = exit(run(2, jobInfo));

    if (end.exitCode() != 0) {
      assertThat(end.cause()).isEqualTo(FailureCause.INFRASTRUCTURE);
      assertThat(end.evidence()).contains("had ended by itself before it read this task");
    }
    assertThat(exit(run(3, jobInfo)).exitCode()).isZero();
  }

  /** The memory is that of all its processes. */
  @Test
  void leakEndsItsProgramAfterTheTask() throws Exception {
    var most = new TaskEnvironment.Runner(Optional.empty(), Optional.of(48L << 20));
    var leak =
        "/bin/sh -c 'x=$(head -c 64000000 /dev/zero | tr \"\\0\" x); echo big >\"$0\"; sleep 600' "
            + pipe()
            + " & read -r big <"
            + pipe()
            + "; answer 0";
    var jobInfo = job(most, LOOP.formatted("1", leak));
    for (var index = 0; index < 3; index++)
      assertThat(exit(run(index, jobInfo)).exitCode()).isZero();

    assertThat(process(1)).isEqualTo(process(0));
    assertThat(process(2)).isNotEqualTo(process(1));
    assertThat(log(0)).isEqualTo("words of 1\n");
    assertThat(log(1)).contains("mayfly: the runner is started again: after this task it holds ");
    assertThat(ProcessAwait.gone(process(0))).isTrue();
  }
}
