package dev.mayfly.core.agent.task;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static dev.mayfly.core.agent.AgentFixtures.output;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentDriver;
import dev.mayfly.core.agent.AgentFixtures;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Sentinel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Which sentinels share an object, and how long they wait for one another. */
class SealGroupsTest {
  private static final JobSpec.Data TOGETHER =
      new JobSpec.Data(
          Optional.empty(),
          false,
          OutputMode.UPLOADED,
          false,
          Optional.empty(),
          Optional.of(Sentinel.Mode.TOGETHER));

  private final AgentDriver agent = new AgentDriver(machine(2), AgentFixtures.with(TOGETHER));

  private void uploads(long... tasks) {
    for (var task : tasks)
      agent
          .exits(attempt(0, task), 0)
          .on(new AgentEvent.Uploaded(attempt(0, task), output(attempt(0, task))));
  }

  /** The tasks of each object that was asked for since the last call. */
  private List<List<Long>> sealed() {
    return agent.take(AgentEffect.SealTogether.class).stream()
        .map(together -> together.seals().stream().map(seal -> seal.attempt().index()).toList())
        .toList();
  }

  private static AgentEvent.AttemptEvent stored(long task) {
    var by = new Sentinel.By("j1", task, attempt(0, task).name(), 1);
    return new AgentEvent.Sealed(attempt(0, task), Optional.of(by), MadeFrom.UNKNOWN);
  }

  @Test
  void aSecondIsTheLongestWait() {
    agent.granted(order(0, 90));
    uploads(0);
    agent.millis(500);
    uploads(1);

    assertThat(sealed()).isEmpty();
    assertThat(agent.millis(499).take(AgentEffect.SealTogether.class)).isEmpty();
    agent.millis(1);

    assertThat(sealed()).containsExactly(List.of(0L, 1L));
    assertThat(agent.take(AgentEffect.Seal.class)).isEmpty();
  }

  @Test
  void wholeBlockIsSealedAtOnce() {
    agent.granted(order(0, 250));

    uploads(LongStream.range(0, 150).toArray());

    assertThat(sealed()).containsExactly(LongStream.range(0, 100).boxed().toList());
  }

  @Test
  void waitingResultsHoldNoOthers() {
    agent.granted(order(0, 2_000));

    // Of each block one is missing, and the agent starts no task while 256 results are on their
    // way.
    for (var task = 0L; task < 600; task++)
      if (task % 100 != 0) {
        uploads(task);
        sealed();
      } else if (task > 0) agent.exits(attempt(0, task), 1);

    assertThat(agent.started()).contains(600L);
  }

  @Test
  void lastOnesWaitForNothing() {
    agent.granted(order(0, 3));
    uploads(0, 1);
    assertThat(sealed()).isEmpty();

    uploads(2);

    assertThat(sealed()).containsExactly(List.of(0L, 1L, 2L));
  }

  @Test
  void noticeSealsWhatWaits() {
    agent.granted(order(0, 90));
    uploads(0, 1);
    agent.exits(attempt(0, 2), 0);

    agent.on(new AgentEvent.PreemptionNoticed(agent.now().wall()));
    assertThat(sealed()).containsExactly(List.of(0L, 1L));

    agent.on(new AgentEvent.Uploaded(attempt(0, 2), output(attempt(0, 2))));
    assertThat(sealed()).containsExactly(List.of(2L));
  }

  @Test
  void onlyStoredTasksAreDone() {
    agent.granted(order(0, 90));
    uploads(0, 1);
    agent.after(Duration.ofSeconds(2));
    sealed();
    assertThat(agent.lease(0).done().count()).isZero();

    var away = new AgentEvent.PublishFailed(attempt(0, 1), true, "away");
    agent.on(new AgentEvent.SealedTogether(List.of(stored(0), away)));

    assertThat(agent.after(Duration.ofSeconds(3)).orders(order(0, 90)).millis(1_500).report())
        .isNotNull();
    assertThat(agent.lease(0).done().indexes()).containsExactly(0L);
    assertThat(sealed()).as("the other is tried again").containsExactly(List.of(1L));
  }

  @Test
  void takenTasksAreNotSealed() {
    agent.granted(order(0, 90));
    uploads(0, 1);

    agent
        .on(new AgentEvent.Unlimited("no cgroups"))
        .millis(60)
        .orders(order(0, 1))
        .after(Duration.ofSeconds(2));

    assertThat(sealed()).containsExactly(List.of(0L));
  }

  /** Another worker may run what a machine that slept has computed. */
  @Test
  void sleepBetweenIsSeen() {
    agent.granted(order(0, 90));
    uploads(0);

    agent.suspended(Duration.ofMinutes(5)).after(Duration.ofSeconds(1));

    assertThat(agent.take(AgentEffect.SealTogether.class))
        .flatExtracting(AgentEffect.SealTogether::seals)
        .extracting(AgentEffect.Seal::late)
        .containsExactly(true);
  }
}
