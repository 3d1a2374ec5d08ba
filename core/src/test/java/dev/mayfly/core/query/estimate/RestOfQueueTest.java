package dev.mayfly.core.query.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.FairShareSpec;
import dev.mayfly.core.plan.share.FairShareRule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When a job starts behind others: each rule by which machines take tasks. */
class RestOfQueueTest {
  private static final long GIB = 1L << 30;
  private static final Resources ONE = Resources.cpu(1, GIB);
  private static final Resources TWO = Resources.cpu(2, GIB);

  private final List<RestOfQueue.Machine> machines = new ArrayList<>();
  private final List<RestOfQueue.Queued> jobs = new ArrayList<>();
  private Map<String, Long> limits = Map.of();
  private FairShareSpec shares = FairShareSpec.EQUAL;

  /** Tasks of ten minutes, of which many have ended. */
  private static Optional<JobDurations> minutes(int minutes) {
    return Optional.of(new JobDurations(Collections.nCopies(36, minutes * 60.0), 36, List.of()));
  }

  private static RestOfQueue.Running running(int job) {
    return new RestOfQueue.Running(job, new RestOfJob.Running(0, 0), false);
  }

  private void machine(int cpus, Map<Integer, Long> given, RestOfQueue.Running... running) {
    machines.add(
        new RestOfQueue.Machine(
            "small/a",
            Optional.empty(),
            Resources.cpu(cpus, 16 * GIB),
            false,
            -1,
            List.of(running),
            given));
  }

  private void coming(double age, int first, Double... seen) {
    machines.add(
        new RestOfQueue.Machine(
            "small/a",
            Optional.of(new RestOfQueue.Coming(0, 0, age, new BootTimes(List.of(seen)))),
            Resources.cpu(1, 16 * GIB),
            false,
            first,
            List.of(),
            Map.of()));
  }

  private RestOfQueue.Queued job(
      Resources need, String owner, long waiting, Optional<JobDurations> durations) {
    return new RestOfQueue.Queued(
        need,
        1,
        0,
        owner,
        false,
        waiting,
        Long.MAX_VALUE,
        durations,
        IntStream.range(0, 9).boxed().collect(Collectors.toSet()),
        Set.of(),
        1,
        0);
  }

  /** The spread of the last job. */
  private Optional<RestOfQueue.Spread> start() {
    return new RestOfQueue(
            machines, jobs, limits, new FairShareRule(shares, List.of(), Map.of()), jobs.size() - 1)
        .spread(new SplittableRandom(7));
  }

  private void startsBetween(double least, double most) {
    var spread = start().orElseThrow();
    assertThat(spread.least()).isGreaterThanOrEqualTo(least);
    assertThat(spread.most()).isLessThanOrEqualTo(most);
  }

  @Test
  void freeRoomIsTakenWithinAMinute() {
    machine(1, Map.of());
    jobs.add(job(ONE, "", 1, Optional.empty()));

    startsBetween(0, 60);
  }

  @Test
  void fullMachineIsAwaited() {
    machine(1, Map.of(), running(0));
    jobs.add(job(ONE, "", 0, minutes(10)));
    jobs.add(job(ONE, "", 1, Optional.empty()));

    startsBetween(200, 1_700);
  }

  /** As certain as that end is what comes then. */
  @Test
  void endThatATaskForetellsIsAwaited() {
    var counted = new RestOfJob.Running(400, 0, Optional.of(200.0), RestOfJob.Next.AT_ONCE);
    machine(1, Map.of(), new RestOfQueue.Running(0, counted, false));
    jobs.add(job(ONE, "", 0, minutes(10)));
    jobs.add(job(ONE, "", 1, Optional.empty()));

    startsBetween(155, 330);
  }

  @Test
  void jobsBeforeItStartFirst() {
    machine(1, Map.of(), running(0));
    jobs.add(job(ONE, "", 3, minutes(10)));
    jobs.add(job(ONE, "", 1, Optional.empty()));

    startsBetween(900, 6_500);
  }

  @Test
  void tasksThatTheMachineHoldsComeFirst() {
    machine(2, Map.of(0, 3L), running(0));
    jobs.add(job(TWO, "", 0, minutes(10)));
    jobs.add(job(ONE, "", 1, Optional.empty()));

    startsBetween(900, 6_500);
  }

  @Test
  void heldTasksGiveWayToOwnerWhoRunsFewer() {
    machine(1, Map.of(0, 30L), running(0));
    machine(1, Map.of(0, 30L), running(0));
    jobs.add(job(ONE, "ann", 0, minutes(10)));
    jobs.add(job(ONE, "ben", 1, Optional.empty()));

    startsBetween(200, 1_700);
  }

  @Test
  void heldTasksStayWithOwnerOfMoreShares() {
    for (var i = 0; i < 3; i++) machine(1, Map.of(0, 30L), running(0));
    machine(1, Map.of(), running(1));
    jobs.add(job(ONE, "ann", 0, minutes(10)));
    jobs.add(job(ONE, "ben", 0, minutes(600)));
    jobs.add(job(ONE, "ben", 1, Optional.empty()));
    startsBetween(0, 1_700);

    // Three of four machines are hers.
    shares = new FairShareSpec(Map.of("ann", 3.0), Optional.empty());
    assertThat(start().orElseThrow().least()).isGreaterThan(4_000);
  }

  @Test
  void machineOnItsWayIsAwaited() {
    coming(30, -1, 90.0, 90.0, 90.0, 90.0);
    jobs.add(job(ONE, "", 1, Optional.empty()));

    startsBetween(15, 240);
  }

  @Test
  void newMachineServesItsOwnJobFirst() {
    coming(0, 1, 90.0, 90.0, 90.0, 90.0);
    jobs.add(job(ONE, "", 50, minutes(10)));
    jobs.add(job(ONE, "", 1, Optional.empty()));

    startsBetween(30, 300);
  }

  @Test
  void startIsUnknownWithoutABootOrADuration() {
    coming(0, -1);
    jobs.add(job(ONE, "", 1, Optional.empty()));
    assertThat(start()).isEmpty();

    machines.clear();
    jobs.clear();
    machine(1, Map.of(), running(0));
    jobs.add(job(ONE, "", 0, Optional.empty()));
    jobs.add(job(ONE, "", 1, Optional.empty()));
    assertThat(start()).isEmpty();
  }

  @Test
  void gangStartsWhenAllItsMachinesAreIdle() {
    machine(1, Map.of(), running(0));
    machine(1, Map.of());
    jobs.add(job(ONE, "", 0, minutes(10)));
    jobs.add(gang(2));

    startsBetween(200, 1_700);
  }

  @Test
  void gangWithTooFewMachinesDoesNotStart() {
    machine(1, Map.of());
    machine(1, Map.of());
    jobs.add(gang(3));

    assertThat(start()).isEmpty();
  }

  private RestOfQueue.Queued gang(int size) {
    var one = job(ONE, "", 1, Optional.empty());
    return new RestOfQueue.Queued(
        one.need(),
        size,
        0,
        "",
        false,
        1,
        Long.MAX_VALUE,
        Optional.empty(),
        one.machines(),
        Set.of(),
        1,
        0);
  }

  @Test
  void largeTaskKeepsAMachine() {
    machine(2, Map.of(), running(0), running(0));
    jobs.add(job(ONE, "", 0, minutes(10)));
    jobs.add(job(ONE, "", 0, minutes(10)));
    jobs.add(job(TWO, "", 1, Optional.empty()));
    startsBetween(200, 2_000);

    // Behind it, tasks that fit into less would take the room first.
    jobs.remove(1);
    jobs.add(job(ONE, "", 100, minutes(10)));
    var behind =
        new RestOfQueue(machines, jobs, limits, new FairShareRule(shares, List.of(), Map.of()), 1)
            .spread(new SplittableRandom(7));
    assertThat(behind.orElseThrow().most()).isLessThanOrEqualTo(2_000);
  }

  @Test
  void limitOfItsOwnerHoldsIt() {
    limits = Map.of("ann", 1L);
    machine(2, Map.of(), running(0));
    jobs.add(job(ONE, "ann", 0, minutes(10)));
    jobs.add(job(ONE, "ann", 1, Optional.empty()));

    startsBetween(200, 1_700);
  }

  @Test
  void equalSeedsHaveEqualStarts() {
    machine(1, Map.of(), running(0));
    jobs.add(job(ONE, "", 3, minutes(10)));
    jobs.add(job(ONE, "", 1, Optional.empty()));

    assertThat(start()).isEqualTo(start());
  }
}
