package dev.mayfly.sim.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.reconcile.ReconcileLoop;
import dev.mayfly.sim.engine.SimProcess;
import dev.mayfly.sim.fake.HookedLedger;
import dev.mayfly.sim.fake.UsageCounter;
import dev.mayfly.sim.fault.PortHook;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A reconcile reads what its trigger names; the tick reads everything. */
class PartialReconcileTest {
  private static final int WORKERS = 300;

  private final ReconcileFixture b =
      new ReconcileFixture(ReconcileFixture.pool(0, 2 * WORKERS, ReconcileFixture.ZONE));
  private final UsageCounter usageCounter = new UsageCounter(b.time);
  private final ReconcileLoop counted = counted();

  private ReconcileLoop counted() {
    var ledger =
        new HookedLedger(
            b.ledger,
            new SimProcess("counted"),
            PortHook.NONE,
            HookedLedger.Faults.NONE,
            usageCounter);
    var p = b.context;
    var context = p.with(ledger);
    return ReconcileFixture.rounds(context);
  }

  /** As many busy workers as the job needs, already read by the counted process. */
  private Job atWork(int workers) {
    var job = b.job("reddit", 2L * workers);
    b.tick();
    for (var worker : b.workers()) b.makeReady(worker.name());
    b.time.advance(Duration.ofMinutes(1));
    counted.tick();
    b.time.advance(Duration.ofSeconds(5));
    return job;
  }

  private long reads(Runnable work) {
    var before = usageCounter.read().of(UsageCounter.Kind.READ);
    work.run();
    return usageCounter.read().of(UsageCounter.Kind.READ) - before;
  }

  private void lose(String worker) {
    b.change(
        worker,
        w -> w.with(new WorkerState.Lost(b.time.instant(), FailureCause.PREEMPTED, "taken")));
  }

  private long live() {
    return b.workers().stream().filter(w -> w.state().live()).count();
  }

  @Test
  void namedWorkerIsReplacedWithoutReadingOthers() {
    atWork(WORKERS);
    var name = b.workers().getFirst().name();
    lose(name);

    var reads = reads(() -> counted.reconcile(Trigger.Reconcile.worker(b.uid, name)));

    assertThat(reads).isLessThan(20);
    assertThat(live()).isEqualTo(WORKERS);
    b.time.advance(Duration.ofSeconds(2));
    assertThat(reads(() -> counted.reconcile(Trigger.Reconcile.worker(b.uid, name))))
        .isLessThan(20);
    assertThat(live()).isEqualTo(WORKERS);
  }

  @Test
  void readsEverythingIfNothingIsNamed() {
    atWork(WORKERS);

    assertThat(reads(() -> counted.reconcile(new Trigger.Reconcile(b.uid)))).isGreaterThan(WORKERS);
  }

  @Test
  void readsWhatAnotherProcessLaunched() {
    atWork(WORKERS);
    b.job("second", 20);
    b.reconcileLoop.tick();
    assertThat(live()).isEqualTo(WORKERS + 10);

    var reads =
        reads(() ->
            counted.reconcile(Trigger.Reconcile.job(new DocumentKey.OfJob(b.uid, "uid-second"))));

    assertThat(reads).isBetween(10L, 50L);
    assertThat(live()).isEqualTo(WORKERS + 10);
  }

  @Test
  void readsEverythingOnceTheClusterChanged() {
    atWork(WORKERS);
    b.apply(
        ReconcileFixture.spec(ReconcileFixture.pool(0, 3 * WORKERS, ReconcileFixture.ZONE)),
        b.time.instant());

    var name = b.workers().getFirst().name();
    assertThat(reads(() -> counted.reconcile(Trigger.Reconcile.worker(b.uid, name))))
        .isGreaterThan(WORKERS);
  }

  @Test
  void readsEverythingWithStaleCache() {
    atWork(WORKERS);
    b.time.advance(Duration.ofMinutes(2));

    var name = b.workers().getFirst().name();
    assertThat(reads(() -> counted.reconcile(Trigger.Reconcile.worker(b.uid, name))))
        .isGreaterThan(WORKERS);
  }

  @Test
  void findsQueuedJobThatIsUnnamed() {
    atWork(10);
    var second = b.job("second", 4);
    var jobQueue = b.ledger.read(new DocumentKey.OfJobQueue(b.uid)).orElseThrow();
    var with = jobQueue.value().with(JobQueue.row(second), b.time.instant());
    b.ledger.commit(List.of(new LedgerWrite.Update(with, jobQueue.version())));

    counted.reconcile(Trigger.Reconcile.worker(b.uid, b.workers().getFirst().name()));

    assertThat(live()).isEqualTo(12);
  }

  @Test
  void launchesNothingForUnnamedEndedJob() {
    var job = atWork(10);
    for (var worker : b.workers()) lose(worker.name());
    var stored = b.ledger.read(job.key()).orElseThrow();
    var end =
        new JobState.Ended(
            b.time.instant(),
            JobState.Result.STOPPED,
            "",
            TaskTotals.NONE,
            Map.of(),
            Optional.empty());
    var jobQueue = b.ledger.read(new DocumentKey.OfJobQueue(b.uid)).orElseThrow();
    b.ledger.commit(
        List.of(
            new LedgerWrite.Update(stored.value().with(end), stored.version()),
            new LedgerWrite.Update(
                jobQueue.value().without(job.uid(), b.time.instant()), jobQueue.version())));

    counted.reconcile(Trigger.Reconcile.worker(b.uid, b.workers().getFirst().name()));

    assertThat(live()).isZero();
  }
}
