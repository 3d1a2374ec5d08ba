package dev.mayfly.core.agent;

import static dev.mayfly.core.agent.AgentFixtures.START;
import static dev.mayfly.core.agent.AgentFixtures.job;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.output;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.AgentSettings;
import dev.mayfly.core.agent.loop.ClockReading;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All events in random order, late and duplicated; then a calm phase in which all work must finish.
 */
class AgentRandomFaultsTest {
  private static final int SLOTS = 3;

  private Random random = new Random(0);
  private Agent agent;
  private ClockReading now = START;
  private long alarm = Long.MAX_VALUE;
  private boolean storm = true;
  private Optional<SyncReport> waiting = Optional.empty();
  private final Map<LeaseRef, Long> ends = new HashMap<>();
  private final Set<LeaseRef> recalled = new HashSet<>();
  private final Set<TaskAttempt> started = new HashSet<>();
  private final Set<TaskAttempt> alive = new LinkedHashSet<>();
  private final Set<TaskAttempt> sealed = new HashSet<>();
  private final Deque<AgentEvent> coming = new ArrayDeque<>();
  private final Set<Long> doneByLedger = new HashSet<>();
  private long nextStart;
  private int wakesInARow;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void randomEventsKeepInvariantsAndFinishWork(long seed) {
    random = new Random(seed);
    agent =
        new Agent(
            machine(SLOTS),
            AgentFixtures.INCARNATION,
            AgentSettings.DEFAULT,
            new Random(seed),
            now);
    on(new AgentEvent.Started(List.of()));
    for (var i = 0; i < 4_000; i++) step();

    storm = false;
    recalled.clear();
    ends.clear();
    grant(50);
    for (var i = 0; i < 4_000; i++) step();
    assertThat(doneByLedger).as("seed " + seed).hasSize(50);
    assertThat(waiting.orElseThrow().leases()).isEmpty();
    assertThat(waiting.orElseThrow().room()).isEqualTo(machine(SLOTS).visible());
    assertThat(alive).isEmpty();
  }

  private void grant(int tasks) {
    doneByLedger.clear();
    ends.put(new LeaseRef("j1", nextStart, 1), nextStart + tasks);
    nextStart += tasks;
  }

  private boolean chance(double p) {
    return storm && random.nextDouble() < p;
  }

  private void step() {
    now = now.plus(Duration.ofMillis(random.nextInt(200)));
    if (chance(0.002))
      now = new ClockReading(now.wall().plusSeconds(random.nextInt(60)), now.monotonicNanos());
    if (storm) misfortune();
    if (alarm <= now.monotonicNanos()) {
      alarm = Long.MAX_VALUE;
      on(new AgentEvent.Woke());
    }
    var answer = waiting;
    if (random.nextInt(3) == 0) answer.ifPresent(this::answer);
    for (var n = coming.size(); n > 0; n--) deliver(coming.poll());
    for (var taskAttempt : List.copyOf(alive)) if (random.nextInt(4) == 0) exit(taskAttempt);
  }

  private void misfortune() {
    if (chance(0.05) && ends.size() < 4) grant(1 + random.nextInt(12));
    for (var ref : List.copyOf(ends.keySet())) {
      if (chance(0.01)) ends.computeIfPresent(ref, (r, e) -> r.start() + (e - r.start()) / 2);
      if (chance(0.005)) recalled.add(ref);
      if (chance(0.005)) ends.remove(ref);
    }
  }

  private void answer(SyncReport report) {
    if (chance(0.1)) {
      on(new AgentEvent.SyncFailed(report.seq(), "away"));
      return;
    }
    for (var lease : report.leases())
      if (lease.released()) {
        lease.done().indexes().filter(i -> i >= nextStart - 50).forEach(doneByLedger::add);
        ends.remove(lease.ref());
      }
    var fenced = chance(0.01);
    if (fenced) ends.clear();
    var leases =
        ends.entrySet().stream()
            .map(e ->
                new SyncOrders.Lease(
                    e.getKey(),
                    e.getValue(),
                    TaskSet.none(e.getKey().start()),
                    "h1",
                    recalled.contains(e.getKey())))
            .toList();
    var orders =
        new SyncOrders(
            report.seq(),
            now.wall(),
            now.wall().plusSeconds(40),
            leases,
            List.of(job()),
            Optional.empty(),
            fenced,
            List.of(),
            List.of());
    on(new AgentEvent.OrdersReceived(orders));
    if (chance(0.1)) on(new AgentEvent.OrdersReceived(orders));
  }

  private void exit(TaskAttempt taskAttempt) {
    alive.remove(taskAttempt);
    if (chance(0.1))
      on(
          new AgentEvent.StartFailed(
              taskAttempt,
              FailureCause.INFRASTRUCTURE,
              chance(0.5),
              "no disk",
              AgentEvent.Prospect.OPEN));
    else on(new AgentEvent.Exited(taskAttempt, chance(0.2) ? 1 : 0, FailureCause.USER, ""));
  }

  private void deliver(AgentEvent event) {
    if (random.nextInt(3) > 0) {
      coming.add(event);
      return;
    }
    if (event instanceof AgentEvent.Killed killed) alive.remove(killed.attempt());
    if (event instanceof AgentEvent.Sealed done) sealed.add(done.attempt());
    on(event);
    if (chance(0.1)) on(event);
  }

  private void on(AgentEvent event) {
    var effects = agent.on(event, now);
    wakesInARow = event instanceof AgentEvent.Woke && effects.size() <= 1 ? wakesInARow + 1 : 0;
    assertThat(wakesInARow).as("alarms that do nothing").isLessThan(20);
    effects.forEach(this::perform);
    assertThat(alive).hasSizeLessThanOrEqualTo(SLOTS);
    assertThat(alarm).as("an alarm is set").isLessThan(Long.MAX_VALUE);
  }

  private void perform(AgentEffect effect) {
    switch (effect) {
      case AgentEffect.Sync sync -> {
        waiting = Optional.of(sync.report());
        check(sync.report());
      }
      case AgentEffect.WakeAt at -> alarm = at.monotonicNanos();
      case AgentEffect.Survey survey ->
          coming.add(
              chance(0.2)
                  ? new AgentEvent.SurveyFailed(survey.lease(), "away")
                  : new AgentEvent.Surveyed(
                      survey.lease(),
                      TaskSet.none(survey.lease().start()),
                      TaskSet.none(survey.lease().start()),
                      TaskSet.none(survey.lease().start())));
      case AgentEffect.Start start -> {
        assertThat(started.add(start.attempt())).as("%s starts once", start.attempt()).isTrue();
        alive.add(start.attempt());
      }
      case AgentEffect.Kill kill -> coming.add(new AgentEvent.Killed(kill.attempt()));
      case AgentEffect.Upload upload -> coming.add(uploaded(upload.attempt()));
      case AgentEffect.Seal seal ->
          coming.add(
              chance(0.1)
                  ? new AgentEvent.PublishFailed(seal.attempt(), true, "away")
                  : new AgentEvent.Sealed(
                      seal.attempt(), Sentinel.by(seal.sentinel().metadata()), MadeFrom.UNKNOWN));
      case AgentEffect.SealTogether together -> {
        var ends = new ArrayList<AgentEvent.AttemptEvent>();
        for (var seal : together.seals())
          ends.add(
              chance(0.1)
                  ? new AgentEvent.PublishFailed(seal.attempt(), true, "away")
                  : new AgentEvent.Sealed(
                      seal.attempt(), Sentinel.by(seal.sentinel().metadata()), MadeFrom.UNKNOWN));
        coming.add(new AgentEvent.SealedTogether(ends));
      }
      default -> {}
    }
  }

  private AgentEvent uploaded(TaskAttempt taskAttempt) {
    if (chance(0.1)) return new AgentEvent.PublishFailed(taskAttempt, true, "away");
    if (chance(0.05)) return new AgentEvent.OutputExists(taskAttempt, "there");
    return new AgentEvent.Uploaded(taskAttempt, output(taskAttempt));
  }

  private void check(SyncReport report) {
    for (var lease : report.leases()) {
      lease
          .done()
          .indexes()
          .forEach(i -> assertThat(sealed).contains(new TaskAttempt(lease.ref(), i)));
      assertThat(lease.failed()).extracting(f -> f.index()).doesNotHaveDuplicates();
      if (lease.released()) assertThat(alive).noneMatch(a -> a.lease().equals(lease.ref()));
      for (var taskAttempt : alive)
        if (taskAttempt.lease().equals(lease.ref()) && taskAttempt.index() < lease.end()) {
          assertThat(lease.running()).contains(taskAttempt.index());
          assertThat(taskAttempt.index()).isLessThan(lease.cursor());
        }
    }
    for (var taskAttempt : alive)
      assertThat(report.leases())
          .as("%s runs and is reported", taskAttempt)
          .anyMatch(l -> l.ref().equals(taskAttempt.lease()));
    assertThat(report.room().cpuMillis()).isNotNegative();
  }
}
