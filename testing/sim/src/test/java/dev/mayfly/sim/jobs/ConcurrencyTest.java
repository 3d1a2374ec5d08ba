package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.ClusterLimits;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs with a limit of tasks at once, or of time until the first starts. */
class ConcurrencyTest {
  private final LabCluster labCluster = new LabCluster(2);

  private static JobSpec job(long tasks, int concurrency, Optional<Duration> queueTimeout) {
    return LabCluster.count("j", tasks)
        .withAdmission(new AdmissionRules(List.of(), concurrency, queueTimeout));
  }

  private long leased() {
    return leased("j");
  }

  private long leased(String job) {
    return labCluster.shards(job).stream()
        .filter(s -> s.state() == Shard.State.LEASED)
        .mapToLong(Shard::open)
        .sum();
  }

  private ScriptedAgent agent(String name) {
    var agent = labCluster.machine(name);
    agent.prefetch = Map.of(labCluster.job("j").uid(), 100L);
    return agent;
  }

  @ParameterizedTest
  @CsvSource({"40, 1", "40, 3", "300, 20", "5, 50"})
  void noMoreTasksAreLeasedThanMayRun(long tasks, int concurrency) {
    labCluster.submit(job(tasks, concurrency, Optional.empty()));
    var agents = List.of(agent("a"), agent("b"));
    var most = 0L;
    for (var round = 0; round < 2 * tasks && labCluster.open("j") > 0; round++)
      for (var agent : agents) {
        agent.syncAndWait();
        most = Math.max(most, leased());
        agent.finish();
        most = Math.max(most, leased());
      }

    assertThat(labCluster.open("j")).as("all are done").isZero();
    assertThat(most).isEqualTo(Math.min(tasks, concurrency));
  }

  @Test
  void nextTaskStartsWhileOutputsAreBeingPublished() {
    labCluster.submit(job(3, 1, Optional.empty()));
    var agent = labCluster.machine("a");
    agent.syncAndWait();
    agent.running(labCluster.now(), 0L);
    agent.syncAndWait();
    assertThat(agent.held()).as("one runs").hasSize(1);

    agent.publishing(labCluster.job("j").uid(), 0L);
    agent.syncAndWait();

    assertThat(agent.held()).as("one is published, and one runs").hasSize(2);
  }

  @Test
  void publishedTaskOfAnotherJobFreesNoPlace() {
    labCluster.submit(job(3, 1, Optional.empty()));
    labCluster.submit(LabCluster.count("other", 1));
    var agent = labCluster.machine("a");
    agent.syncAndWait();
    agent.running(labCluster.now(), 0L);
    agent.publishing(labCluster.job("other").uid(), 0L);
    agent.syncAndWait();
    agent.syncAndWait();

    assertThat(leased()).isEqualTo(1);
  }

  @Test
  void wholeShardIsNotGrantedForOneThatChanged() {
    labCluster.submit(job(300, 3, Optional.empty()));
    var agent = agent("a");
    var first = labCluster.shards("j").getFirst();
    assertThat(first.open()).as("it has to be split").isGreaterThan(3);
    labCluster.ledger.before(ConcurrencyTest::splits, () -> change(first.key()));

    agent.syncAndWait();

    assertThat(leased()).isEqualTo(3);
  }

  private static boolean splits(List<LedgerWrite> ledgerWrites) {
    return ledgerWrites.stream()
        .anyMatch(w -> w instanceof LedgerWrite.Create c && c.document() instanceof Shard);
  }

  private void change(DocumentKey<Shard> key) {
    var stored = labCluster.store.read(key).orElseThrow();
    labCluster.store.commit(List.of(new LedgerWrite.Update(stored.value(), stored.version())));
  }

  @Test
  void explainNamesTheLimit() {
    labCluster.submit(job(40, 3, Optional.empty()));
    agent("a").syncAndWait();
    agent("b").syncAndWait();

    assertThat(labCluster.controlPlane.statusQueries().explain("lab", "j").reasons())
        .extracting(r -> r.kind() + ": " + r.text())
        .contains("concurrency: its concurrency is 3, and 3 tasks are on machines");
  }

  private void limit(ClusterLimits limits) {
    var spec = labCluster.cluster().spec().withLimits(limits);
    labCluster.publish(new UserCommand.ApplyCluster(spec, Optional.empty(), false));
  }

  @Test
  void jobsOfOneOwnerShareTheirLimit() {
    limit(
        new ClusterLimits(
            Optional.of(3L), Map.of(), Optional.empty(), Optional.empty(), Optional.empty()));
    labCluster.submit(LabCluster.count("j", 40));
    labCluster.submit(LabCluster.count("k", 40));
    var agents = List.of(labCluster.machine("a"), labCluster.machine("b"));
    var most = 0L;
    for (var round = 0; round < 80; round++)
      for (var agent : agents) {
        agent.prefetch = Map.of(labCluster.job("j").uid(), 100L, labCluster.job("k").uid(), 100L);
        agent.syncAndWait();
        most = Math.max(most, leased("j") + leased("k"));
        agent.finish();
        most = Math.max(most, leased("j") + leased("k"));
      }

    assertThat(labCluster.open("j") + labCluster.open("k")).as("all are done").isZero();
    assertThat(most).isEqualTo(3);
  }

  @Test
  void explainNamesLimitOfOwner() {
    limit(
        new ClusterLimits(
            Optional.of(2L), Map.of(), Optional.empty(), Optional.empty(), Optional.empty()));
    labCluster.submit(LabCluster.count("j", 40));
    agent("a").syncAndWait();
    agent("b").syncAndWait();

    assertThat(reasons("j"))
        .contains(
            "owner-concurrency: jobs without an owner may run 2 tasks at once in cluster lab (limits.ownerConcurrency, limits.owners), and 2 tasks are on machines; raise that to 3 or more, or wait until some end");
  }

  private List<String> reasons(String job) {
    return labCluster.controlPlane.statusQueries().explain("lab", job).reasons().stream()
        .map(r -> r.kind() + ": " + r.text())
        .toList();
  }

  @Test
  void largeJobNeedsConfirmation() {
    limit(
        new ClusterLimits(
            Optional.empty(), Map.of(), Optional.of(10L), Optional.empty(), Optional.empty()));

    assertThat(labCluster.refused(labCluster.submit(LabCluster.count("j", 11))))
        .singleElement()
        .asString()
        .contains("it has 11 tasks, above the 10", "mayfly submit --yes, confirm: true");
    var rules =
        new AdmissionRules(
            List.of(), 0, Optional.empty(), Optional.of(true), Optional.empty(), Optional.empty());
    labCluster.submit(LabCluster.count("j", 11).withAdmission(rules));
    assertThat(labCluster.job("j").running()).isTrue();
  }

  @Test
  void dearPoolsNeedConfirmationOnce() {
    var none = Optional.<Long>empty();
    var dear = new ClusterLimits(none, Map.of(), none, Optional.of(0.01), Optional.empty());
    var before = labCluster.cluster().spec();
    var pool = before.pools().getFirst();
    var larger = before.withLimits(dear).with(List.of(pool, pool.fallback(500)));

    assertThat(
            labCluster.refused(
                labCluster.publish(new UserCommand.ApplyCluster(larger, Optional.empty(), false))))
        .singleElement()
        .asString()
        .contains("pools at their maximum cost $", "mayfly up --yes");
    assertThat(labCluster.cluster().spec()).isEqualTo(before);
    labCluster.publish(new UserCommand.ApplyCluster(larger, Optional.empty(), true));
    assertThat(labCluster.cluster().spec()).isEqualTo(larger);
    var smaller = larger.with(List.of(pool, pool.fallback(400)));
    labCluster.publish(new UserCommand.ApplyCluster(smaller, Optional.empty(), false));
    assertThat(labCluster.cluster().spec()).isEqualTo(smaller);
  }

  private void tick() {
    labCluster.advance(60_000);
    labCluster.controlPlane.handle(new Trigger.Tick());
    labCluster.deliver();
  }

  @Test
  void jobWithoutStartIsStoppedInItsQueueTimeout() {
    labCluster.submit(job(40, 0, Optional.of(Duration.ofMinutes(5))));
    for (var minute = 0; minute < 4; minute++) tick();
    assertThat(labCluster.job("j").running()).isTrue();

    for (var minute = 0; minute < 3; minute++) tick();

    assertThat(labCluster.end("j"))
        .isEqualTo("STOPPED: 0 done, 40 not finished; no task started in its queueTimeout of 5m");
  }

  @Test
  void startedJobHasNoQueueTimeout() {
    labCluster.submit(job(40, 0, Optional.of(Duration.ofMinutes(5))));
    var agent = agent("a");
    agent.syncAndWait();
    agent.release();
    agent.syncAndWait();

    for (var minute = 0; minute < 8; minute++) tick();

    assertThat(labCluster.job("j").state().ended()).isFalse();
  }
}
