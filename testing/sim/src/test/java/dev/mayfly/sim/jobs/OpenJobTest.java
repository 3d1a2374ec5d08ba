package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.TaskAddition;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.query.task.TaskStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Jobs to which messages add tasks. */
class OpenJobTest extends OpenJobScene {
  @Test
  void anOpenJobOutlivesItsTasks() {
    open(source(List.of(Map.of("lr", "0.1"))));
    work();
    tick();

    assertThat(labCluster.open("j")).isZero();
    assertThat(labCluster.job("j").running()).isTrue();
  }

  @Test
  void addedTasksRunAndTheClosedJobEnds() {
    open();
    add("a", "0.1");
    add("b", "0.2", "0.3");
    assertThat(rates()).containsExactly("0.1", "0.2", "0.3");
    work();
    assertThat(labCluster.job("j").running()).isTrue();

    close(Optional.empty());
    labCluster.deliver();
    assertThat(labCluster.end("j")).isEqualTo("SUCCEEDED: 3 done");
  }

  /** Tasks that end after the close end the job without a tick. */
  @Test
  void theLastTaskOfAClosedJobEndsIt() {
    open();
    add("a", "0.1");
    var worker = labCluster.machine("w");
    worker.syncAndWait();
    close(Optional.empty());
    assertThat(labCluster.job("j").running()).isTrue();
    labCluster.advance(1_500);
    seal(0);
    worker.finish();
    labCluster.deliver();

    assertThat(labCluster.end("j")).isEqualTo("SUCCEEDED: 1 done");
  }

  @Test
  void anAgentLearnsTheTaskWithItsLease() {
    open();
    add("a", "0.7");
    var worker = labCluster.machine("w");
    // The first answer is lost: the agent asks as if it had no lease.
    worker.syncAndWait();
    worker.leases.clear();
    var again = worker.syncAndWait();

    assertThat(again.leases())
        .extracting(SyncOrders.Lease::item)
        .containsExactly(Optional.of(new TaskItem(0, Optional.empty(), Map.of("lr", "0.7"))));
    assertThat(worker.syncAndWait().leases())
        .extracting(SyncOrders.Lease::item)
        .containsOnly(Optional.empty());
  }

  @Test
  void aRepeatAddsNothing() {
    open();
    var message = add("a", "0.1");
    labCluster.controlPlane.commandHandler().handle(message);
    add("a", "0.1");
    work();
    close(Optional.empty());
    labCluster.deliver();
    labCluster.controlPlane.commandHandler().handle(message);

    assertThat(rates()).containsExactly("0.1");
    assertThat(labCluster.refused(message)).isEmpty();
  }

  @Test
  void otherTasksWithAnAdditionsIdAreRefused() {
    open();
    add("a", "0.1");
    var other = add("a", "0.9");

    assertThat(rates()).containsExactly("0.1");
    assertThat(labCluster.refused(other))
        .singleElement()
        .asString()
        .contains("a was used for other tasks of job j (1 from number 0 on)", "choose another id");
  }

  /** The document is from before additions had a hash. */
  @Test
  void additionWithoutHashTakesAnyRepeat() {
    open();
    add("a", "0.1");
    var key = new DocumentKey.OfTaskAddition(labCluster.uid, labCluster.job("j").uid(), "a");
    var kept = labCluster.store.read(key).orElseThrow().value();
    labCluster.store.commit(
        List.of(
            new LedgerWrite.Put(
                new TaskAddition(
                    kept.cluster(),
                    kept.job(),
                    kept.id(),
                    kept.first(),
                    kept.count(),
                    kept.at(),
                    Optional.empty()))));

    assertThat(labCluster.refused(add("a", "0.9"))).isEmpty();
    assertThat(rates()).containsExactly("0.1");
  }

  @Test
  void aCrashAfterTheCommitAddsOnce() {
    open();
    labCluster.ledger.unknown(writes ->
        writes.stream()
            .anyMatch(w -> w instanceof LedgerWrite.Create c && c.document() instanceof Shard));
    var message = labCluster.message(tasks("a", "0.1"));
    try {
      labCluster.controlPlane.commandHandler().handle(message);
    } catch (RuntimeException redelivered) {
      labCluster.ledger.unknown(writes -> false);
    }
    labCluster.controlPlane.commandHandler().handle(message);

    assertThat(rates()).containsExactly("0.1");
  }

  @Test
  void twoInstancesAddAtOnce() {
    open();
    var other = labCluster.control("b");
    var message = labCluster.message(tasks("b", "0.2"));
    labCluster.ledger.before(
        writes -> writes.stream().anyMatch(LedgerWrite.Create.class::isInstance),
        () -> other.commandHandler().handle(message));
    add("a", "0.1");

    assertThat(rates()).containsExactly("0.2", "0.1");
    assertThat(labCluster.job("j").tasks().count()).isEqualTo(2);
  }

  @Test
  void anAdditionTellsItsNumbers() {
    open();
    add("a", "0.1");
    add("b", "0.2", "0.3");

    var addition = labCluster.controlPlane.statusQueries().addition("lab", "j", "b");
    assertThat(addition.first()).isEqualTo(1);
    assertThat(addition.count()).isEqualTo(2);
  }

  @Test
  void tasksShowTheirVariables() {
    open();
    add("a", "0.1");
    add("b", "0.2");
    assertThat(task(1).variables()).containsEntry("lr", "0.2");
    work();
    close(Optional.empty());
    labCluster.deliver();

    assertThat(task(1).state()).isEqualTo(TaskStatus.State.DONE);
    assertThat(task(1).variables()).containsEntry("lr", "0.2");
  }

  @Test
  void aClosedJobRefusesLaterTasks() {
    open();
    add("a", "0.1");
    close(Optional.empty());
    var late = add("b", "0.2");

    assertThat(labCluster.refused(late).toString())
        .contains("job j was closed at", "submit another");
    assertThat(rates()).containsExactly("0.1");
  }

  @Test
  void anOvertakenAdditionIsWaitedFor() {
    open();
    var late = labCluster.message(tasks("a", "0.1"));
    close(Optional.of(1L));
    labCluster.deliver();
    assertThat(labCluster.job("j").running()).isTrue();
    labCluster.controlPlane.commandHandler().handle(late);
    assertThat(rates()).containsExactly("0.1");
    work();

    assertThat(labCluster.end("j")).isEqualTo("SUCCEEDED: 1 done");
  }

  @Test
  void aLostAdditionIsNotWaitedForLong() {
    open();
    close(Optional.of(1L));
    tick();
    assertThat(labCluster.job("j").running()).isTrue();
    labCluster.advance(121_000);
    tick();

    assertThat(labCluster.end("j")).isEqualTo("SUCCEEDED: 0 done");
  }
}
