package dev.mayfly.core.model.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.worker.MachineUsage.Entry;
import dev.mayfly.core.model.worker.MachineUsage.Part;
import dev.mayfly.core.model.worker.MachineUsage.Purpose;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MachineUsageTest {
  private static final LocalDate DAY = LocalDate.parse("2026-11-27");
  private static final Instant NOON = Instant.parse("2026-11-27T12:00:00Z");
  private static final MachineUsage NEW = MachineUsage.from(Optional.of(0.5), NOON);

  @Test
  void timeIsDividedBySharesRestIsIdle() {
    var parts = MachineShares.of(ready(), List.of(part("a", 0.5), part("b", 0.25)));

    assertThat(NEW.counted(parts, NOON.plusMillis(1_001)).entries())
        .containsExactly(entry(Purpose.TASKS, "a", 501), entry(Purpose.TASKS, "b", 250), idle(250));
  }

  @Test
  void moreThanMachineIsReducedInProportion() {
    var parts = MachineShares.of(ready(), List.of(part("a", 1), part("b", 0.5), part("b", 0.5)));

    assertThat(NEW.counted(parts, NOON.plusMillis(100)).entries())
        .containsExactly(entry(Purpose.TASKS, "a", 50), entry(Purpose.TASKS, "b", 50));
  }

  @Test
  void nothingIsCountedTwiceOrBackwards() {
    var once = NEW.counted(Part.whole(Purpose.IDLE), NOON.plusMillis(9));

    assertThat(once.counted(Part.whole(Purpose.BOOT), NOON.plusMillis(9))).isEqualTo(once);
    assertThat(once.counted(Part.whole(Purpose.BOOT), NOON)).isEqualTo(once);
  }

  @Test
  void timeWithoutMachinePasses() {
    var queued = new WorkerState.CloudQueue(NOON, "WAITING");
    var waits = new WorkerState.Booting(NOON, NOON, "", Optional.of(queued), Optional.empty());
    var later = NOON.plusMillis(9);

    assertThat(NEW.counted(MachineShares.of(waits, List.of()), later))
        .isEqualTo(MachineUsage.from(Optional.of(0.5), later));
  }

  @Test
  void midnightDividesDays() {
    var evening = Instant.parse("2026-11-27T23:59:59Z");
    var usage = MachineUsage.from(Optional.empty(), evening);

    assertThat(usage.counted(Part.whole(Purpose.END), evening.plusMillis(1_500)).entries())
        .containsExactly(
            new Entry(DAY, Purpose.END, Optional.empty(), 1_000),
            new Entry(DAY.plusDays(1), Purpose.END, Optional.empty(), 500));
  }

  @Test
  void lostAttemptsMoveFromTheirJobAndNoFurther() {
    var used = NEW.counted(List.of(part("a", 0.5), part("b", 0.5)), NOON.plusMillis(100));

    assertThat(used.wasted(Purpose.LOST, "a", 30).entries())
        .containsExactlyInAnyOrder(
            entry(Purpose.TASKS, "a", 20),
            entry(Purpose.LOST, "a", 30),
            entry(Purpose.TASKS, "b", 50));
    assertThat(used.wasted(Purpose.LOST, "a", 3_000).entries())
        .containsExactlyInAnyOrder(entry(Purpose.LOST, "a", 50), entry(Purpose.TASKS, "b", 50));
  }

  /** It may have run since: it is never counted too little. */
  @Test
  void whatNobodySawAtItsEndCounts() {
    var lost = new WorkerState.Lost(NOON.plusSeconds(50), FailureCause.LOST, "why");
    var gone = new WorkerState.Gone(NOON.plusSeconds(60), "why");
    var usage = MachineUsage.ordered(Optional.of(0.5), NOON);

    var unseen = MachineShares.begun(usage, lost, gone);
    var seen = MachineShares.begun(usage.notRunning(NOON.plusSeconds(55)), lost, gone);

    assertThat(unseen.waits()).isFalse();
    assertThat(seen.waits()).as("the cloud did not run it when it ended").isTrue();
  }

  private static WorkerState ready() {
    return new WorkerState.Ready(NOON, Optional.empty());
  }

  private static Part part(String job, double share) {
    return new Part(Purpose.TASKS, Optional.of(job), share);
  }

  private static Entry entry(Purpose purpose, String job, long millis) {
    return new Entry(DAY, purpose, Optional.of(job), millis);
  }

  private static Entry idle(long millis) {
    return new Entry(DAY, Purpose.IDLE, Optional.empty(), millis);
  }
}
