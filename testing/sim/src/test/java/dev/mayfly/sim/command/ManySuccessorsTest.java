package dev.mayfly.sim.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.ControlPlane;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.sim.fixture.JobChains;
import dev.mayfly.sim.fixture.LabCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Many jobs that wait for one start together, by few messages (decision 122). */
class ManySuccessorsTest {
  private static final Duration TICK = Duration.ofSeconds(10);

  private final JobChains chains = new JobChains();
  private final LabCluster labCluster = chains.labCluster;
  private final ControlPlane ticks = labCluster.control("ticks");
  private final List<Trigger> sent = new ArrayList<>();

  private void givenSuccessors(int count, Predecessor.On on) {
    labCluster.submit(LabCluster.count("first", 1));
    for (var i = 0; i < count; i++)
      labCluster.submit(JobChains.successor("s%03d".formatted(i), JobChains.after("first", on)));
    assertThat(labCluster.triggers).noneMatch(Trigger.StartWaiting.class::isInstance);
  }

  /** Its end has been committed; what it triggers is not handled yet. */
  private void endFirst() {
    labCluster.stop("first");
    labCluster.deliver();
    labCluster.triggers.clear();
  }

  private long in(Class<? extends JobState> state) {
    return labCluster.jobs().stream().map(Job::state).filter(state::isInstance).count();
  }

  /** Messages about jobs wait for one slow instance, while ticks come as ever. */
  private void runSlowly(Duration handling, int most) {
    var waiting = new ArrayList<Trigger>();
    var nextTick = labCluster.now();
    for (var i = 0; i < most; i++) {
      labCluster.time.advance(handling);
      for (; !nextTick.isAfter(labCluster.now()); nextTick = nextTick.plus(TICK))
        ticks.handle(new Trigger.Tick());
      take(waiting);
      if (!waiting.isEmpty()) labCluster.controlPlane.handle(waiting.removeFirst());
      take(waiting);
    }
  }

  private void take(List<Trigger> waiting) {
    var jobs = labCluster.triggers.stream().filter(t -> !(t instanceof Trigger.Reconcile)).toList();
    sent.addAll(jobs);
    waiting.addAll(jobs);
    labCluster.triggers.clear();
  }

  private List<Integer> countQueueWrites() {
    var writes = new ArrayList<Integer>();
    countNext(writes);
    return writes;
  }

  private void countNext(List<Integer> writes) {
    var jobQueue = new DocumentKey.OfJobQueue(labCluster.uid);
    labCluster.ledger.after(
        batch -> batch.stream().anyMatch(w -> w.key().equals(jobQueue)),
        () -> {
          writes.add(1);
          countNext(writes);
        });
  }

  @Test
  void thousandStartWithFewMessagesAndQueueWrites() {
    givenSuccessors(999, Predecessor.On.END);
    endFirst();
    var writes = countQueueWrites();

    runSlowly(Duration.ofSeconds(1), 30);

    assertThat(in(JobState.Running.class)).isEqualTo(999);
    assertThat(chains.queue().rows()).hasSize(999);
    assertThat(chains.queue().waiting()).isEmpty();
    assertThat(sent).hasSizeBetween(5, 6);
    assertThat(writes.size()).isBetween(20, 25);
  }

  @Test
  void handlerSlowerThanTicksGetsNoBacklog() {
    givenSuccessors(400, Predecessor.On.END);
    endFirst();

    runSlowly(Duration.ofSeconds(55), 10);

    assertThat(in(JobState.Running.class)).isEqualTo(400);
    assertThat(sent).hasSizeBetween(2, 3);
  }

  @Test
  void thousandThatCannotStartLeaveQueueTogether() {
    givenSuccessors(999, Predecessor.On.SUCCESS);
    endFirst();
    var writes = countQueueWrites();

    runSlowly(Duration.ofMillis(100), 1_200);

    assertThat(in(JobState.Ended.class)).isEqualTo(1_000);
    assertThat(chains.queue().waiting()).isEmpty();
    // One for each that ends, one for all.
    assertThat(sent).hasSizeBetween(1_000, 1_002);
    assertThat(writes.size()).isBetween(20, 25);
  }

  @Test
  void doubledMessageStartsNoJobTwice() {
    givenSuccessors(120, Predecessor.On.END);
    endFirst();
    var start = new Trigger.StartWaiting(labCluster.uid);
    labCluster.ledger.before(this::storesJobs, () -> labCluster.control("b").handle(start));

    labCluster.controlPlane.handle(start);

    assertThat(in(JobState.Running.class)).isEqualTo(120);
    assertThat(events("listed")).isEqualTo(120);
    assertThat(events("started")).isEqualTo(120);
  }

  private boolean storesJobs(List<LedgerWrite> writes) {
    return writes.stream()
        .anyMatch(w ->
            w instanceof LedgerWrite.Update u
                && u.document() instanceof Job job
                && job.state() instanceof JobState.Running);
  }

  private long events(String what) {
    return labCluster
        .store
        .query(new LedgerQuery.Events(labCluster.uid, Optional.empty(), 1_000))
        .requireComplete()
        .stream()
        .map(VersionedDocument::value)
        .filter(e -> e.what().equals(what))
        .count();
  }

  @Test
  void ticksStartWhatDeadInstanceClaimed() {
    givenSuccessors(60, Predecessor.On.END);
    endFirst();
    labCluster.ledger.before(
        this::storesJobs,
        () -> {
          throw new IllegalStateException("the instance dies");
        });
    try {
      labCluster.controlPlane.handle(new Trigger.StartWaiting(labCluster.uid));
    } catch (IllegalStateException died) {
      assertThat(in(JobState.Expanding.class)).isEqualTo(50);
    }
    assertThat(labCluster.triggers).isEmpty();

    runSlowly(Duration.ofMillis(500), 110);
    assertThat(in(JobState.Expanding.class)).as("claimed").isEqualTo(50);
    assertThat(in(JobState.Running.class)).as("the others").isEqualTo(10);
    runSlowly(Duration.ofMillis(500), 200);

    assertThat(in(JobState.Running.class)).isEqualTo(60);
    assertThat(sent).hasSizeBetween(51, 52);
  }

  @Test
  void stoppedOneDoesNotHinderOthers() {
    givenSuccessors(5, Predecessor.On.END);
    endFirst();
    labCluster.ledger.before(this::storesJobs, () -> labCluster.stop("s002"));

    labCluster.controlPlane.handle(new Trigger.StartWaiting(labCluster.uid));
    labCluster.deliver();

    assertThat(in(JobState.Running.class)).isEqualTo(4);
    assertThat(labCluster.end("s002")).startsWith("STOPPED");
    assertThat(chains.queue().rows()).hasSize(4);
  }
}
