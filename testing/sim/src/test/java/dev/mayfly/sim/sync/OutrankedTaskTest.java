package dev.mayfly.sim.sync;

import static java.time.temporal.ChronoUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Outranked;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PreemptionRule;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.model.worker.MachineUsage.Purpose;
import dev.mayfly.core.query.StatusQueries;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import dev.mayfly.sim.spec.JobBuilder;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A running task that ends for a job of a higher priority, from the decision to the next run. */
class OutrankedTaskTest {
  private final LabCluster labCluster = new LabCluster(1);
  private final ScriptedAgent agent = labCluster.machine("w");
  private LeaseRef lease = new LeaseRef("", 0, 0);

  /** The only machine there may be runs both tasks of a job; another job wants half of it. */
  @BeforeEach
  void decide() {
    allowOnce();
    labCluster.change(
        "w", false, it -> it.withUsage(MachineUsage.from(Optional.of(1.0), labCluster.now())));
    labCluster.submit(LabCluster.count("low", 2));
    agent.syncAndWait();
    while (agent.held().isEmpty()) agent.syncAndWait();
    lease = agent.held().getFirst();
    reports(labCluster.now(), List.of(0L, 1L), List.of());
    for (var i = 0; i < 5; i++) {
      labCluster.advance(20_000);
      full();
    }
    labCluster.submit(JobBuilder.like(LabCluster.count("high", 1)).priority(90).build());
    reconcile();
    reconcile();
  }

  private void allowOnce() {
    var spec = labCluster.cluster().spec();
    var pool = spec.pools().getFirst().withPreemption(PreemptionRule.RUNNING);
    labCluster.publishLate(
        new UserCommand.ApplyCluster(spec.with(List.of(pool)), Optional.empty(), false));
  }

  private void reconcile() {
    labCluster.controlPlane.handle(new Trigger.Reconcile(labCluster.uid));
  }

  private void reports(Instant since, List<Long> running, List<AttemptFailure> failed) {
    agent.leases.computeIfPresent(
        lease,
        (ref, l) ->
            new SyncReport.Lease(
                ref,
                l.end(),
                l.done(),
                failed,
                running,
                2,
                false,
                Collections.nCopies(running.size(), since),
                List.of()));
  }

  private List<Outranked> asked() {
    return labCluster.worker("w").held().stream()
        .flatMap(held -> held.outranked().stream().flatMap(List::stream))
        .toList();
  }

  private long victim() {
    return asked().getFirst().index();
  }

  private StatusQueries queries() {
    return labCluster.controlPlane.statusQueries();
  }

  private List<String> reasons(String kind) {
    return queries().explain("lab", "low").reasons().stream()
        .filter(it -> it.kind().equals(kind))
        .map(it -> it.text())
        .toList();
  }

  /** A sync of the agent, both of whose tasks run. */
  private SyncOrders full() {
    agent.room = Resources.ZERO;
    return agent.syncAndWait();
  }

  /** The agent has heard of it, and its task has ended so. */
  private void end() {
    full();
    var victim = asked().getFirst();
    var began = labCluster.now().minusSeconds(100);
    reports(
        began,
        List.of(1 - victim.index()),
        List.of(
            new AttemptFailure(
                    victim.index(),
                    lease.attempt(),
                    FailureCause.OUTRANKED,
                    143,
                    victim.why(),
                    "w",
                    labCluster.now())
                .begun(began)));
    agent.room = agent.total.minus(labCluster.job("low").spec().resources());
    agent.syncAndWait();
  }

  private List<Shard> shards() {
    return labCluster.shards("low");
  }

  @Test
  void oneTaskIsAskedToEndOnce() {
    assertThat(asked()).hasSize(1);
    reconcile();
    assertThat(asked()).hasSize(1);

    var victim = asked().getFirst();
    assertThat(victim.by()).isEqualTo("high");
    assertThat(queries().events("lab", Optional.of("job/low"), 50))
        .filteredOn(event -> event.what().equals("outranked"))
        .singleElement()
        .satisfies(event ->
            assertThat(event.why())
                .startsWith(
                    "task %d on worker w is ended for job high of priority 90"
                        .formatted(victim.index())));
  }

  @Test
  void jobAndTaskSayThatItEnds() {
    var victim = asked().getFirst();
    var why =
        " now for job high of priority 90 (preemption: running), by %s at the latest; it runs again when there is room"
            .formatted(victim.until().truncatedTo(SECONDS));
    assertThat(reasons("outranked"))
        .containsExactly("task %d on w ends".formatted(victim.index()) + why);
    assertThat(queries().task("lab", "low", victim.index()).waits()).contains("it ends" + why);
    assertThat(queries().task("lab", "low", 1 - victim.index()).waits()).isEmpty();

    end();

    assertThat(reasons("outranked")).isEmpty();
  }

  @Test
  void waitingJobIsToldWhenItsRoomIsThere() {
    var told = queries().explain("lab", "high");
    assertThat(told.reasons().getFirst().text())
        .startsWith("room is made for it: task %d of job low ends by".formatted(victim()));
    assertThat(told.remedy()).contains("nothing, its tasks start there by themselves");
    assertThat(queries().estimate("lab", "high").start().orElseThrow().text())
        .isEqualTo("within a minute, when the tasks end that make room for it");
  }

  @Test
  void agentIsToldWhichTaskEndsAndWhy() {
    var order =
        full().leases().stream().filter(it -> it.ref().equals(lease)).findFirst().orElseThrow();

    assertThat(order.stop().orElseThrow().indexes()).containsExactly(asked().getFirst().index());
    assertThat(order.outranked().orElseThrow()).isEqualTo(asked());
  }

  @Test
  void taskGoesBackAloneWithoutUsingARetry() {
    var victim = asked().getFirst().index();
    end();

    var parts = shards();
    assertThat(parts)
        .filteredOn(shard -> shard.state() == Shard.State.READY)
        .singleElement()
        .satisfies(shard -> {
          assertThat(shard.has(victim)).isTrue();
          assertThat(shard.attempts()).containsEntry(FailureCause.OUTRANKED, 1L);
          assertThat(shard.failures().at(victim)).isZero();
          assertThat(shard.infrastructure().at(victim)).isZero();
          assertThat(shard.interruptions().at(victim)).isZero();
        });
    assertThat(labCluster.worker("w").held())
        .filteredOn(held -> held.job().equals(labCluster.job("low").uid()))
        .singleElement()
        .extracting(Worker.Held::start)
        .isEqualTo(1 - victim);
  }

  @Test
  void whatItRanIsWasteOfThatKind() {
    end();

    var millis =
        labCluster.worker("w").usage().orElseThrow().entries().stream()
            .filter(entry -> entry.purpose() == Purpose.OUTRANKED)
            .mapToLong(MachineUsage.Entry::millis)
            .sum();
    assertThat(millis).as("half of a machine for 100 s").isEqualTo(50_000);
  }
}
