package dev.mayfly.core.agent.lease;

import static dev.mayfly.core.agent.AgentFixtures.job;
import static dev.mayfly.core.agent.AgentFixtures.lease;
import static dev.mayfly.core.agent.AgentFixtures.listed;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentDriver;
import dev.mayfly.core.agent.AgentFixtures;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.model.sync.SyncOrders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** From a grant to the first start. */
class LeaseStartupTest {
  private final AgentDriver agent = new AgentDriver(machine(2), job());

  @Test
  void outputsAreSurveyedBeforeTheFirstTaskStarts() {
    agent.orders(order(0, 4));

    assertThat(agent.started()).isEmpty();
    assertThat(agent.take(AgentEffect.Survey.class))
        .singleElement()
        .satisfies(s -> assertThat(s.items()).hasSize(4));

    agent.nothingDone(0);
    assertThat(agent.started()).containsExactly(0L, 1L);
  }

  @Test
  void clusterChangeReachesOnlyLaterTasks() {
    agent.granted(order(0, 4));
    assertThat(agent.take(AgentEffect.Start.class))
        .extracting(s -> s.jobInfo().env().get("TAG"))
        .containsExactly(null, null);

    var old = job();
    var changed =
        new JobInfo(
            old.job(),
            "h2",
            old.spec(),
            old.bucket(),
            Map.of("TAG", "2"),
            old.tasks(),
            old.items(),
            Optional.empty());
    agent.withJobInfo(changed).millis(20_000);
    agent.orders(new SyncOrders.Lease(lease(0), 4, TaskSet.none(0), "h2", false));
    assertThat(agent.killed()).isEmpty();
    agent.succeeds(AgentFixtures.attempt(0, 0));

    assertThat(agent.take(AgentEffect.Start.class))
        .singleElement()
        .satisfies(s -> assertThat(s.attempt().index()).isEqualTo(2))
        .satisfies(s -> assertThat(s.jobInfo().env()).containsEntry("TAG", "2"));
  }

  @Test
  void leaseWhoseOutputsCannotBeReadIsGivenBack() {
    agent.orders(order(0, 4));
    assertThat(agent.take(AgentEffect.Survey.class)).hasSize(1);
    var cutOff = job().spec().run().cutOff();

    agent.servedFor(cutOff.minusSeconds(5), order(0, 4));
    assertThat(agent.lease(0).released()).isFalse();
    agent.servedFor(Duration.ofSeconds(10), order(0, 4));

    assertThat(agent.lease(0).released()).as("no answer is an answer too").isTrue();
    agent.nothingDone(0);
    assertThat(agent.started()).as("it may be another's by now").isEmpty();
  }

  @Test
  void answeredSurveyCancelsItsTimer() {
    agent.granted(order(0, 4));

    agent.servedFor(job().spec().run().cutOff().plusSeconds(10), order(0, 4));

    assertThat(agent.lease(0).released()).isFalse();
  }

  @Test
  void sealedTaskIsDoneWithoutRunning() {
    agent.orders(order(0, 4));
    agent.on(
        new AgentEvent.Surveyed(
            lease(0), TaskSet.none(0).with(0).with(2), TaskSet.none(0), TaskSet.none(0)));
    agent.millis(100);

    assertThat(agent.started()).containsExactly(1L, 3L);
    assertThat(agent.lease(0).done().indexes()).containsExactly(0L, 2L);
  }

  @Test
  void skippedTasksAreNeitherRunNorReported() {
    agent.granted(new SyncOrders.Lease(lease(0), 4, TaskSet.none(0).with(0).with(1), "h1", false));
    agent.millis(100);

    assertThat(agent.started()).containsExactly(2L, 3L);
    assertThat(agent.lease(0).done().isEmpty()).isTrue();
  }

  @Test
  void foreignOutputFailsTaskBeforeStart() {
    agent.orders(order(0, 2));
    agent.on(
        new AgentEvent.Surveyed(
            lease(0), TaskSet.none(0), TaskSet.none(0), TaskSet.none(0).with(0)));
    agent.millis(100);

    assertThat(agent.started()).containsExactly(1L);
    assertThat(agent.lease(0).failed())
        .singleElement()
        .satisfies(f -> assertThat(f.cause()).isEqualTo(FailureCause.OUTPUT_EXISTS))
        .satisfies(f -> assertThat(f.evidence()).contains("file:///out/0.txt"));
  }

  @Test
  void taskListIsFetchedOncePerChunkWithRetry() {
    var agent = new AgentDriver(machine(1), listed());
    agent.orders(order(500, 1_500));
    assertThat(agent.take(AgentEffect.FetchTaskList.class))
        .extracting(AgentEffect.FetchTaskList::chunk)
        .containsOnly(0L, 1L);

    agent.on(new AgentEvent.TaskListFetched("j1", 0, items(0)));
    agent.on(new AgentEvent.TaskListFetchFailed("j1", 1, "store away"));
    assertThat(agent.take(AgentEffect.Survey.class)).isEmpty();
    agent.after(Duration.ofSeconds(1));
    assertThat(agent.take(AgentEffect.FetchTaskList.class))
        .singleElement()
        .extracting(AgentEffect.FetchTaskList::chunk)
        .isEqualTo(1L);

    agent.on(new AgentEvent.TaskListFetched("j1", 1, items(1_000)));
    assertThat(agent.take(AgentEffect.Survey.class))
        .singleElement()
        .satisfies(s -> assertThat(s.items()).hasSize(1_000));
    agent.nothingDone(500);
    assertThat(agent.take(AgentEffect.Start.class))
        .singleElement()
        .satisfies(s -> assertThat(s.item().input()).contains("file:///in/500"));
  }

  private static List<TaskItem> items(long from) {
    return LongStream.range(from, from + 1_000)
        .mapToObj(i -> new TaskItem(i, Optional.of("file:///in/" + i), Map.of()))
        .toList();
  }
}
