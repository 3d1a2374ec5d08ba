package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.cluster.NotificationKind;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A job whose tasks all fail alike is found without a question. */
class CrashLoopTest {
  private final LabCluster labCluster = new LabCluster(1);

  private ScriptedAgent failing(int tasks) {
    labCluster.submit(LabCluster.count("j", 40));
    var w = labCluster.machine("w");
    w.syncAndWait();
    for (var task = 0; task < tasks; task++) w.failed(task, "No module named 'nosuch'");
    return w;
  }

  private Optional<String> why() {
    return labCluster.controlPlane.statusQueries().jobs("lab", 10).getFirst().reason();
  }

  @Test
  void listSaysItWhileTasksRun() {
    var w = failing(10);
    w.release();
    w.syncAndWait();

    assertThat(labCluster.job("j").running()).isTrue();
    assertThat(why().orElse("")).startsWith("crash-loop: no task has succeeded, and 10 attempts");
  }

  @Test
  void fewAmongManyAreFirstFailures() {
    var w = failing(3);
    w.release();
    w.syncAndWait();

    assertThat(why().orElse(""))
        .startsWith(
            "first-failures: no task has succeeded, and 3 attempts of the first 3 of 40 tasks");
  }

  @Test
  void eventAndNotificationComeOnce() {
    var w = failing(3);
    w.release();
    w.syncAndWait();

    labCluster.controlPlane.handle(new Trigger.Tick());
    labCluster.time.advance(Duration.ofSeconds(2));
    labCluster.control("b").handle(new Trigger.Tick());
    labCluster.controlPlane.handle(new Trigger.Tick());

    for (var task = 3; task < 12; task++) w.failed(task, "No module named 'nosuch'");
    w.release();
    w.syncAndWait();
    labCluster.control("c").handle(new Trigger.Tick());

    assertThat(why().orElse("")).startsWith("crash-loop: ");
    assertThat(events())
        .as("once a job, in the words of when it was found")
        .singleElement()
        .satisfies(e -> assertThat(e.why()).contains("3 attempts of the first 3 of 40 tasks"));
    assertThat(labCluster.topic.told)
        .extracting(Notification::notification)
        .containsExactly(NotificationKind.CRASH_LOOP);
  }

  private List<EventRecord> events() {
    return labCluster
        .store
        .query(new LedgerQuery.Events(labCluster.cluster().uid(), Optional.of("job/j"), 50))
        .requireComplete()
        .stream()
        .map(VersionedDocument::value)
        .filter(e -> e.what().equals("crash-loop") || e.what().equals("first-failures"))
        .toList();
  }

  @Test
  void twoFailuresAreNone() {
    var w = failing(2);
    w.release();
    w.syncAndWait();
    labCluster.controlPlane.handle(new Trigger.Tick());

    assertThat(why()).isEmpty();
    assertThat(events()).isEmpty();
  }

  @Test
  void lossesAloneAreSaidWithTheLast() {
    labCluster.submit(LabCluster.count("j", 1));
    var w = labCluster.machine("w");
    w.syncAndWait();
    w.ended(0, FailureCause.LOST, "the machine's host failed");
    w.release();
    w.syncAndWait();
    assertThat(why()).as("one loss is none").isEmpty();
    labCluster.advance(5_000);
    w.syncAndWait();
    w.ended(0, FailureCause.PREEMPTED, "the cloud takes the machine");
    w.release();
    w.syncAndWait();
    labCluster.advance(5_000);
    w.syncAndWait();

    assertThat(why().orElse(""))
        .startsWith("interrupted: 2 attempts failed, all through machines, storage or the cloud")
        .contains("on w (preempted: the cloud takes the machine)")
        .endsWith("its task is on a machine again");
  }
}
