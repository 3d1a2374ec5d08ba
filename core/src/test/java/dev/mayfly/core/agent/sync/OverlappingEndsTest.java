package dev.mayfly.core.agent.sync;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.graceful;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static dev.mayfly.core.agent.AgentFixtures.recalled;
import static dev.mayfly.core.agent.AgentFixtures.stopping;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentDriver;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.AgentSettings;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A task that two things end: each has its way, and the earlier of both is the one that holds. */
class OverlappingEndsTest {
  private static final Duration GRACE = Duration.ofSeconds(20);
  private static final Duration ROUNDING = Duration.ofSeconds(2);
  private static final DrainReason BY_HAND = new DrainReason(DrainCause.USER, "by hand");

  private final AgentDriver agent = new AgentDriver(machine(1), graceful(GRACE));

  /** What comes on top of each other. */
  private enum End {
    RECALL,
    STOP_OF_THE_TASK,
    DRAIN,
    NOTICE,
    STOP_OF_THE_AGENT
  }

  /** By when a task must have had SIGTERM, and by when SIGKILL. */
  private record Demand(Instant asked, Instant killed) {}

  private final List<Demand> demands = new ArrayList<>();
  private final List<Demand> orders = new ArrayList<>();
  private Optional<Instant> drain = Optional.empty();
  private boolean recall;
  private boolean noticed;
  private boolean stop;

  private Instant now() {
    return agent.now().wall();
  }

  private void seconds(int count) {
    for (var i = 0; i < count; i++) {
      agent.millis(1_000);
      answer();
    }
  }

  /** Every order is repeated in each answer. */
  private void answer() {
    for (var kill : agent.take(AgentEffect.Kill.class))
      orders.add(new Demand(now(), now().plus(kill.grace())));
    if (agent.syncs() == 0) return;
    SyncOrders.Lease lease = recall ? recalled(0, 1) : stop ? stopping(0, 1, 0L) : order(0, 1);
    if (drain.isPresent()) agent.drain(drain.get(), BY_HAND, lease);
    else agent.orders(lease);
  }

  private void end(End end, Random random) {
    switch (end) {
      case RECALL -> {
        recall = true;
        demands.add(new Demand(now(), now().plus(GRACE)));
      }
      case STOP_OF_THE_TASK -> {
        stop = true;
        demands.add(new Demand(now(), now().plus(GRACE)));
      }
      case DRAIN -> {
        // An order that moves a drain replaces it, and no such thing is tried here.
        if (drain.isPresent()) return;
        var deadline = now().plusSeconds(15 + random.nextInt(300));
        drain = Optional.of(deadline);
        var asked = deadline.minus(GRACE);
        demands.add(new Demand(asked.isBefore(now()) ? now() : asked, deadline));
      }
      case NOTICE -> {
        // A notice is late where the agent asks for it, and a second one changes nothing.
        if (noticed) return;
        noticed = true;
        var late = Duration.ofSeconds(random.nextInt(30));
        agent.on(new AgentEvent.PreemptionNoticed(now().minus(late)));
        var deadline = now().minus(late).plus(AgentSettings.DEFAULT.noticeGrace());
        demands.add(new Demand(now(), deadline.isBefore(now()) ? now() : deadline));
      }
      case STOP_OF_THE_AGENT -> {
        agent.on(new AgentEvent.StopRequested());
        demands.add(new Demand(now(), now().plus(AgentSettings.DEFAULT.noticeGrace())));
      }
    }
    agent.millis(50);
    answer();
  }

  private static Instant first(List<Demand> all, Comparator<Demand> by) {
    var least = all.stream().min(by).orElseThrow();
    return by.equals(KILLED) ? least.killed() : least.asked();
  }

  private static final Comparator<Demand> ASKED = Comparator.comparing(Demand::asked);
  private static final Comparator<Demand> KILLED = Comparator.comparing(Demand::killed);

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
  void earliestEndHoldsWhateverElseEndsTheTask(int tens) {
    for (var seed = tens * 10; seed < tens * 10 + 10; seed++)
      new OverlappingEndsTest().randomEnds(seed);
  }

  private void randomEnds(int seed) {
    var random = new Random(seed);
    agent.granted(order(0, 1)).millis(100);
    for (var ends = 1 + random.nextInt(3); ends > 0; ends--) {
      end(End.values()[random.nextInt(End.values().length)], random);
      seconds(random.nextInt(random.nextBoolean() ? 40 : 5));
    }
    seconds(340);

    var asked = first(orders, ASKED);
    var killed = first(orders, KILLED);
    assertThat(asked)
        .as("SIGTERM, seed %d: %s", seed, demands)
        .isBeforeOrEqualTo(first(demands, ASKED).plus(ROUNDING));
    assertThat(killed)
        .as("SIGKILL, seed %d: %s", seed, demands)
        .isBeforeOrEqualTo(first(demands, KILLED).plus(ROUNDING));
    var grace = first(demands, KILLED).isBefore(asked.plus(GRACE));
    assertThat(killed)
        .as("its grace, seed %d: %s", seed, demands)
        .isAfterOrEqualTo((grace ? first(demands, KILLED) : asked.plus(GRACE)).minus(ROUNDING));
  }

  @ParameterizedTest
  @EnumSource(DrainCause.class)
  void stoppedTaskOfADrainIsAskedAtOnce(DrainCause cause) {
    agent.granted(order(0, 1)).millis(100);
    var deadline = now().plusSeconds(3_600);
    var reason = new DrainReason(cause, "words");
    agent.drain(deadline, reason, order(0, 1)).after(Duration.ofSeconds(2));

    agent.drain(deadline, reason, recalled(0, 1));

    assertThat(agent.take(AgentEffect.Kill.class))
        .extracting(AgentEffect.Kill::grace)
        .containsExactly(GRACE);
    agent.drain(deadline, reason, recalled(0, 1)).on(new AgentEvent.Killed(attempt(0, 0)));
    agent.after(Duration.ofSeconds(2));
    assertThat(agent.lease(0).failed())
        .extracting(AttemptFailure::cause)
        .containsExactly(FailureCause.STOPPED);
  }

  @Test
  void leaseThatStartsNothingMoreIsStoppedOnce() {
    agent.granted(order(0, 1)).millis(100);
    agent.drain(now().plusSeconds(3_600), order(0, 1)).after(Duration.ofSeconds(2));
    agent.drain(now().plusSeconds(3_600), recalled(0, 1));
    assertThat(agent.killed()).hasSize(1);

    agent.after(Duration.ofSeconds(2)).drain(now().plusSeconds(3_600), recalled(0, 1));

    assertThat(agent.killed()).isEmpty();
  }

  @Test
  void noticeShortensTheGraceOfAStop() {
    var patient = new AgentDriver(machine(1), graceful(Duration.ofMinutes(5)));
    patient.granted(order(0, 1)).millis(100);
    patient.after(Duration.ofSeconds(2)).orders(recalled(0, 1));
    patient.take(AgentEffect.Kill.class);

    patient.on(new AgentEvent.PreemptionNoticed(patient.now().wall()));
    patient.after(AgentSettings.DEFAULT.noticeGrace());

    assertThat(patient.take(AgentEffect.Kill.class))
        .extracting(AgentEffect.Kill::grace)
        .contains(Duration.ZERO);
  }
}
