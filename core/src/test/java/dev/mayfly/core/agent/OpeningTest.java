package dev.mayfly.core.agent;

import static dev.mayfly.core.agent.Fixtures.job;
import static dev.mayfly.core.agent.Fixtures.lease;
import static dev.mayfly.core.agent.Fixtures.listed;
import static dev.mayfly.core.agent.Fixtures.machine;
import static dev.mayfly.core.agent.Fixtures.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.JobSheet;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.TaskItem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** From a grant to the first start. */
class OpeningTest {
  private final Driven agent = new Driven(machine(2), job());

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
  void aChangeOfTheClusterReachesTheNextTaskOfALeaseAndNotTheOneThatRuns() {
    agent.granted(order(0, 4));
    assertThat(agent.take(AgentEffect.Start.class))
        .extracting(s -> s.sheet().env().get("TAG"))
        .containsExactly(null, null);

    var old = job();
    var changed =
        new JobSheet(
            old.job(),
            "h2",
            old.spec(),
            old.bucket(),
            Map.of("TAG", "2"),
            old.tasks(),
            old.items());
    agent.told(changed).millis(20_000);
    agent.orders(new SyncOrders.Lease(lease(0), 4, Bits.none(0), "h2", false));
    assertThat(agent.killed()).isEmpty();
    agent.succeeds(Fixtures.attempt(0, 0));

    assertThat(agent.take(AgentEffect.Start.class))
        .singleElement()
        .satisfies(s -> assertThat(s.attempt().index()).isEqualTo(2))
        .satisfies(s -> assertThat(s.sheet().env()).containsEntry("TAG", "2"));
  }

  @Test
  void leaseWhoseOutputsCannotBeReadIsGivenBack() {
    agent.orders(order(0, 4));
    assertThat(agent.take(AgentEffect.Survey.class)).hasSize(1);
    var cutOff = job().spec().run().cutOff();

    agent.heardFor(cutOff.minusSeconds(5), order(0, 4));
    assertThat(agent.lease(0).released()).isFalse();
    agent.heardFor(Duration.ofSeconds(10), order(0, 4));

    assertThat(agent.lease(0).released()).as("no answer is an answer too").isTrue();
    agent.nothingDone(0);
    assertThat(agent.started()).as("it may be another's by now").isEmpty();
  }

  @Test
  void answeredSurveyCancelsItsTimer() {
    agent.granted(order(0, 4));

    agent.heardFor(job().spec().run().cutOff().plusSeconds(10), order(0, 4));

    assertThat(agent.lease(0).released()).isFalse();
  }

  @Test
  void whatHasASentinelIsReportedAsDoneAndNotRun() {
    agent.orders(order(0, 4));
    agent.on(new AgentEvent.Surveyed(lease(0), Bits.none(0).with(0).with(2), Bits.none(0)));
    agent.millis(100);

    assertThat(agent.started()).containsExactly(1L, 3L);
    assertThat(agent.lease(0).done().indexes()).containsExactly(0L, 2L);
  }

  @Test
  void whatTheLedgerSaysToSkipIsNeitherRunNorReported() {
    agent.granted(new SyncOrders.Lease(lease(0), 4, Bits.none(0).with(0).with(1), "h1", false));
    agent.millis(100);

    assertThat(agent.started()).containsExactly(2L, 3L);
    assertThat(agent.lease(0).done().isEmpty()).isTrue();
  }

  @Test
  void anOutputOfSomebodyElseFailsTheTaskBeforeItRuns() {
    agent.orders(order(0, 2));
    agent.on(new AgentEvent.Surveyed(lease(0), Bits.none(0), Bits.none(0).with(0)));
    agent.millis(100);

    assertThat(agent.started()).containsExactly(1L);
    assertThat(agent.lease(0).failed())
        .singleElement()
        .satisfies(f -> assertThat(f.cause()).isEqualTo(Cause.OUTPUT_EXISTS))
        .satisfies(f -> assertThat(f.evidence()).contains("file:///out/0.txt"));
  }

  @Test
  void aTaskListIsFetchedOnceForEachChunkAndAFailedFetchIsTriedAgain() {
    var agent = new Driven(machine(1), listed());
    agent.orders(order(500, 1_500));
    assertThat(agent.take(AgentEffect.Fetch.class))
        .extracting(AgentEffect.Fetch::chunk)
        .containsOnly(0L, 1L);

    agent.on(new AgentEvent.ItemsFetched("j1", 0, items(0)));
    agent.on(new AgentEvent.FetchFailed("j1", 1, "store away"));
    assertThat(agent.take(AgentEffect.Survey.class)).isEmpty();
    agent.after(Duration.ofSeconds(1));
    assertThat(agent.take(AgentEffect.Fetch.class))
        .singleElement()
        .extracting(AgentEffect.Fetch::chunk)
        .isEqualTo(1L);

    agent.on(new AgentEvent.ItemsFetched("j1", 1, items(1_000)));
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
