package dev.mayfly.core.query.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.plan.share.FairShareRule;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.WorkerVeto;
import dev.mayfly.core.plan.veto.ZoneVeto;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The words of a start: what it is said by, and why it is unknown. */
class StartOfJobTest {
  private static final Instant NOW = Instant.parse("2026-01-31T10:00:00Z");
  private static final Resources ONE = Resources.cpu(1, 1L << 30);
  private static final BootTimes NONE_SEEN = new BootTimes(List.of());

  private final List<RestOfQueue.Machine> machines = new ArrayList<>();
  private final List<Veto> vetoes = new ArrayList<>();

  private void machine(Optional<RestOfQueue.Coming> coming, boolean busy) {
    machines.add(
        new RestOfQueue.Machine(
            "small/a",
            coming,
            ONE,
            false,
            -1,
            busy
                ? List.of(new RestOfQueue.Running(0, new RestOfJob.Running(0, 0), false))
                : List.of(),
            Map.of()));
  }

  private static Optional<RestOfQueue.Coming> coming(BootTimes boots) {
    return Optional.of(new RestOfQueue.Coming(0, 0, 0, boots));
  }

  private static RestOfQueue.Queued queued(long waiting, Optional<JobDurations> durations) {
    return new RestOfQueue.Queued(
        ONE, 1, 0, "", false, waiting, Long.MAX_VALUE, durations, Set.of(0), Set.of(), 1, 0);
  }

  private JobStart start(long before, Optional<JobDurations> durations) {
    var jobs = List.of(queued(before, durations), queued(1, Optional.empty()));
    var queue = new RestOfQueue(machines, jobs, Map.of(), FairShareRule.EQUAL, 1);
    return new StartOfJob(queue, List.of("a", "b"), List.of("small"), vetoes, NOW).start(7);
  }

  private static Optional<JobDurations> known() {
    return Optional.of(new JobDurations(Collections.nCopies(36, 600.0), 36, List.of()));
  }

  @Test
  void freeMachineIsTakenWithinAMinute() {
    machine(Optional.empty(), false);

    assertThat(start(0, known()).text()).isEqualTo("within a minute, a machine has room for it");
  }

  /** Of a cordon it is known when it ends. */
  @Test
  void endOfCordonIsSaid() {
    var until = NOW.plusSeconds(4 * 3600);
    vetoes.add(new WorkerVeto.Cordoned(List.of("w-1"), until, Optional.empty()));

    assertThat(start(0, known()).text())
        .isEqualTo(
            "unknown: its machines take tasks again in 4h, unless they are uncordoned before");

    vetoes.set(0, new PoolVeto.Cordoned("small", until));

    assertThat(start(0, known()).text())
        .isEqualTo(
            "unknown: its machines take tasks again in 4h, unless they are uncordoned before");
  }

  @Test
  void jobsBeforeItAreNamed() {
    machine(Optional.empty(), true);

    assertThat(start(0, known()).text())
        .startsWith("in about ")
        .endsWith(", if tasks of job a take what those took that ended");
  }

  @Test
  void bootsAreCounted() {
    machine(coming(new BootTimes(List.of(80.0, 90.0))), false);

    assertThat(start(0, known()).text())
        .endsWith(", if machines that come boot as 2 others before");
  }

  /** What a pause takes is no guess. */
  @Test
  void pauseBeforeAnOrderIsCertain() {
    var boots = new BootTimes(Collections.nCopies(20, 60.0));
    machine(Optional.of(new RestOfQueue.Coming(86_400, 86_400, 0, boots)), false);

    var start = start(0, known());

    assertThat(start.text()).contains("if machines are ordered again in 24h");
    assertThat(start.spread().orElseThrow().earliest()).isAfter(NOW.plusSeconds(86_400));
    assertThat(start.spread().orElseThrow().latest()).isBefore(NOW.plusSeconds(86_400 + 600));
  }

  /** A task that runs much longer than all others ends at any time. */
  @Test
  void taskFarBeyondOthersDoesNotHoldForEver() {
    var even = Optional.of(new JobDurations(Collections.nCopies(36, 1.0), 36, List.of(500_000.0)));
    machines.add(
        new RestOfQueue.Machine(
            "small/a",
            Optional.empty(),
            ONE,
            false,
            -1,
            List.of(new RestOfQueue.Running(0, new RestOfJob.Running(500_000, 0), false)),
            Map.of()));

    assertThat(start(0, even).spread()).isPresent();
  }

  @Test
  void jobWithoutAnEndedTaskIsTheReason() {
    machine(Optional.empty(), true);

    assertThat(start(0, Optional.empty()).text())
        .isEqualTo("unknown: it waits for tasks of job a, of which none has ended yet");
  }

  @Test
  void poolWithoutABootIsTheReason() {
    machine(coming(NONE_SEEN), false);

    assertThat(start(0, known()).text())
        .isEqualTo("unknown: no machine of pool small has booted yet to say how long it takes");
  }

  @Test
  void causeOfThePlanIsTheReasonOtherwise() {
    var refused =
        new ZoneVeto.Refused(
            ZoneVeto.Cause.STOCK,
            "small",
            "a",
            "a",
            "n2-standard-2",
            Provisioning.SPOT,
            "ZONE_RESOURCE_POOL_EXHAUSTED",
            "",
            3,
            NOW.minusSeconds(40),
            Optional.of(NOW.plusSeconds(90)));
    vetoes.add(refused);

    var start = start(0, known());

    assertThat(start.spread()).isEmpty();
    assertThat(start.text())
        .isEqualTo("unknown: nobody knows how long this lasts: stockout; the next try is in 90s");
  }
}
