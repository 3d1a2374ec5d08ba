package dev.mayfly.sim.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.model.worker.KeptAttempt;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.spec.JobBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What people see of a cordon, and what it does. */
class CordonTest {
  /** Its pool may have one machine. */
  private LabCluster labCluster = new LabCluster(1);

  private void cordon(String name, Duration lasts) {
    labCluster.publish(new UserCommand.Cordon("lab", name, lasts));
  }

  private WorkerStatus seen(String name) {
    return labCluster.controlPlane.statusQueries().workers("lab", false).stream()
        .filter(w -> w.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private List<String> reasons(String job) {
    return labCluster.controlPlane.statusQueries().explain("lab", job).reasons().stream()
        .map(r -> r.kind() + ": " + r.text())
        .toList();
  }

  private List<String> events(String about) {
    return labCluster.controlPlane.statusQueries().events("lab", Optional.of(about), 9).stream()
        .map(EventRecord::what)
        .toList();
  }

  @Test
  void cordonedWorkerGetsNothingUntilItEnds() {
    var agent = labCluster.machine("w");
    agent.syncAndWait();
    cordon("w", Duration.ofMinutes(30));
    labCluster.submit(LabCluster.count("j", 1));
    labCluster.deliver();
    agent.sync();
    labCluster.advance(10_000);

    assertThat(agent.held()).isEmpty();
    assertThat(seen("w").state()).isEqualTo("cordoned");
    assertThat(seen("w").reason())
        .hasValueSatisfying(why ->
            assertThat(why)
                .startsWith("by hand (mayfly cordon), until ")
                .endsWith("mayfly uncordon w ends that"));
    assertThat(reasons("j"))
        .anySatisfy(why -> assertThat(why).startsWith("cordoned: worker w is cordoned until "));
    assertThat(events("worker/w")).contains("cordoned");

    labCluster.publish(new UserCommand.Uncordon("lab", "w"));
    labCluster.deliver();
    agent.sync();
    labCluster.advance(10_000);

    assertThat(agent.held()).hasSize(1);
    assertThat(seen("w").state()).isEqualTo("ready");
    assertThat(events("worker/w")).contains("uncordoned");
  }

  @Test
  void cordonEndsByItself() {
    var agent = labCluster.machine("w");
    agent.syncAndWait();
    cordon("w", Duration.ofMinutes(1));
    labCluster.submit(LabCluster.count("j", 1));
    labCluster.deliver();
    labCluster.advance(61_000);
    agent.sync();
    labCluster.advance(10_000);

    assertThat(agent.held()).hasSize(1);
  }

  @Test
  void whatRunsGoesOnAndTheRestGoesBack() {
    labCluster.submit(LabCluster.spec("j", new TaskSource.Count(800), Optional.empty(), false));
    var agent = labCluster.machine("w");
    agent.syncAndWait();
    agent.prefetch = Map.of(labCluster.job("j").uid(), 2_000L);
    agent.syncAndWait();
    assertThat(labCluster.shards("j")).allMatch(s -> s.state() == Shard.State.LEASED);

    cordon("w", Duration.ofHours(1));
    labCluster.advance(30_000);
    labCluster.controlPlane.handle(new Trigger.Tick());

    assertThat(labCluster.worker("w").held()).isNotEmpty();
    assertThat(labCluster.worker("w").state()).isInstanceOf(WorkerState.Ready.class);
    assertThat(labCluster.shards("j")).anyMatch(s -> s.state() == Shard.State.READY);
  }

  @Test
  void poolIsCordonedWithItsWorkers() {
    labCluster = new LabCluster(8);
    labCluster.machine("w").syncAndWait();
    labCluster.machine("x").syncAndWait();
    cordon("cpu", Duration.ofHours(1));
    labCluster.submit(LabCluster.count("j", 9));
    labCluster.deliver();
    labCluster.controlPlane.handle(new Trigger.Tick());

    assertThat(seen("w").state()).isEqualTo("cordoned");
    assertThat(seen("x").state()).isEqualTo("cordoned");
    assertThat(labCluster.controlPlane.statusQueries().workers("lab", true)).hasSize(2);
    assertThat(reasons("j").getFirst()).startsWith("cordoned: ");
    assertThat(labCluster.controlPlane.statusQueries().cluster("lab").problems())
        .anySatisfy(p -> assertThat(p).startsWith("pool cpu is cordoned until "));

    labCluster.publish(new UserCommand.Uncordon("lab", "cpu"));

    assertThat(seen("w").state()).isEqualTo("ready");
    assertThat(seen("x").state()).isEqualTo("ready");
  }

  @Test
  void olderAndRepeatedCommandsChangeNothing() {
    labCluster.machine("w").syncAndWait();
    var cordon = labCluster.publish(new UserCommand.Cordon("lab", "w", Duration.ofHours(1)));
    labCluster.advance(1_000);
    labCluster.publish(new UserCommand.Uncordon("lab", "w"));
    labCluster.controlPlane.commandHandler().handle(cordon);

    assertThat(seen("w").state()).isEqualTo("ready");
  }

  @Test
  void whatIsNotThereOrEndsIsRefused() {
    labCluster.machine("w").syncAndWait();
    labCluster.publish(new UserCommand.DrainWorker("lab", "w"));
    labCluster.advance(1_000);
    var ends = labCluster.publish(new UserCommand.Cordon("lab", "w", Cordon.USUAL));
    var unknown = labCluster.publishLate(new UserCommand.Cordon("lab", "nobody", Cordon.USUAL));

    assertThat(labCluster.refused(ends).getFirst()).contains("worker w ends already");
    assertThat(labCluster.refused(unknown).getFirst())
        .contains("cluster lab has no worker and no pool nobody");
  }

  /** Whoever waits for it learns whose it is, and what an end of it would delete. */
  @Test
  void machineKeptByJobNamesThatJob() {
    labCluster.machine("w").syncAndWait();
    var until = labCluster.now().plusSeconds(3_600);
    var attempt = new KeptAttempt("u", "ann/j", 3, "a1", 0, until, Optional.empty());
    var cordon = Optional.of(Cordon.of(attempt, labCluster.now()));
    labCluster.change("w", false, worker -> worker.withCordon(cordon));
    var there = new Placement(List.of(), List.of(), List.of("w"));
    labCluster.submit(JobBuilder.like(LabCluster.count("other", 1)).place(there).build());
    labCluster.deliver();

    assertThat(reasons("other"))
        .anySatisfy(why ->
            assertThat(why)
                .startsWith("cordoned: worker w is kept until ")
                .contains("because task 3 of job ann/j failed there (its keepFailed)")
                .endsWith("deletes what the attempt left: ask whose job it is"));
  }
}
