package dev.mayfly.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobLossesTest {
  private static final Instant END = Instant.parse("2026-05-01T12:00:00Z");

  private static AttemptFailure ran(FailureCause cause, long seconds) {
    return new AttemptFailure(0, "s0e1", cause, -1, "", "w", END).begun(END.minusSeconds(seconds));
  }

  private static AttemptFailure kept(long seconds, long lost) {
    return ran(FailureCause.PREEMPTED, seconds).keptUntil(END.minusSeconds(lost));
  }

  private static Optional<String> of(AttemptFailure... failures) {
    return JobLosses.of(ViewFixtures.job(ViewFixtures.jobSpec()).failures(failures).view());
  }

  @Test
  void lossIsWhatRanSinceTheCheckpoint() {
    assertThat(of(kept(232, 52)))
        .contains(
            "lost: 52s of the 3m52s that 1 attempt ran (preempted); its checkpoint keeps the rest");
    assertThat(of(ran(FailureCause.LOST, 100)))
        .contains("lost: all of the 100s that 1 attempt ran (lost); it stored no checkpoint");
  }

  @Test
  void severalLossesAreAdded() {
    assertThat(of(kept(100, 10), kept(50, 5), ran(FailureCause.LOST, 40)))
        .contains(
            "lost: 55s of the 3m10s that 3 attempts ran (1 lost, 2 preempted); the checkpoints of 2 of them keep the rest");
  }

  @Test
  void failureOfItsOwnIsNoLoss() {
    assertThat(of(ran(FailureCause.USER, 100))).isEmpty();
  }
}
