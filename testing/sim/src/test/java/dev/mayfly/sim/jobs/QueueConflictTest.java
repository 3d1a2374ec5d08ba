package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.ControlPlane;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.ScheduledExecutor;
import dev.mayfly.core.port.TickScheduler;
import dev.mayfly.core.state.Context;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.engine.Trace;
import dev.mayfly.sim.fake.SimFleet;
import dev.mayfly.sim.fake.SimIdGenerator;
import dev.mayfly.sim.fault.FaultInjector;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.SilentMachines;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Instances that change one queue concurrently back off. */
class QueueConflictTest {
  private final LabCluster labCluster = new LabCluster();
  private final List<Duration> pauses = new ArrayList<>();

  /** A control plane whose process can wait inside its calls. */
  private ControlPlane waiting() {
    var executor =
        new ScheduledExecutor() {
          @Override
          public void callAt(Instant when, Runnable task) {
            labCluster.time.callAt(when, task);
          }

          @Override
          public boolean waitUntil(Instant when) {
            pauses.add(Duration.between(labCluster.time.instant(), when));
            labCluster.time.advanceTo(when);
            return true;
          }
        };
    var faultInjector = FaultInjector.none(new Trace(labCluster.time));
    var fleet =
        new SimFleet(labCluster.time, new SimRandom(3), faultInjector, new SilentMachines());
    var context =
        new Context(
            labCluster.ledger,
            labCluster.triggers::add,
            _ -> {},
            fleet,
            labCluster.objects,
            labCluster.codec,
            executor,
            TickScheduler.always(),
            new SimIdGenerator(new SimRandom(9)),
            labCluster.time,
            Timings.DEFAULT);
    return new ControlPlane(context, "w", "http://workers");
  }

  /** Lets {@code changes} concurrent changes of the queue each precede the attempted one. */
  private void others(int changes) {
    if (changes == 0) return;
    var jobQueue = new DocumentKey.OfJobQueue(labCluster.uid);
    labCluster.ledger.before(
        ledgerWrites -> ledgerWrites.stream().anyMatch(w -> w.key().equals(jobQueue)),
        () -> {
          var stored = labCluster.store.read(jobQueue).orElseThrow();
          var touched = new JobQueue(labCluster.uid, labCluster.now(), stored.value().rows());
          labCluster.store.commit(List.of(new LedgerWrite.Update(touched, stored.version())));
          others(changes - 1);
        });
  }

  @Test
  void waitsLongerAfterEachConflict() {
    labCluster.submit(LabCluster.count("first", 1));
    var userMessage =
        labCluster.message(new UserCommand.SubmitJob(LabCluster.count("j", 1), Optional.empty()));
    others(6);

    waiting().commandHandler().handle(userMessage);

    assertThat(labCluster.end("j")).startsWith("Running");
    assertThat(pauses).hasSizeGreaterThanOrEqualTo(6);
    for (var i = 0; i < 6; i++)
      assertThat(pauses.get(i).toMillis()).isBetween(50L << Math.min(i, 5), 100L << Math.min(i, 5));
  }
}
