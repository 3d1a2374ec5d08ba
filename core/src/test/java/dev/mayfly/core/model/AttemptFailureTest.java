package dev.mayfly.core.model;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AttemptFailureTest {
  private static final String SAID = "File \"attempts/1/a.py\", line 2\nKeyError: 'score'\n";
  private static final String WHOLE = SAID.strip();

  private static String summary(FailureCause cause, int exitCode) {
    return new AttemptFailure(0, "s0e1", cause, exitCode, SAID, "w", Instant.EPOCH).summary();
  }

  @Test
  void programIsSummedUpByItsLastLine() {
    assertThat(summary(FailureCause.USER, 1)).isEqualTo("KeyError: 'score'");
  }

  @Test
  void wordsOfMayflyStayWhole() {
    assertThat(summary(FailureCause.LOST, -1)).isEqualTo(WHOLE);
    assertThat(summary(FailureCause.INFRASTRUCTURE, 1)).isEqualTo(WHOLE);
  }

  @Test
  void evidenceThatIsCutSaysSo() {
    var whole = "PATH=" + "/opt/tool:".repeat(19) + "/bin/";
    var fitted = AttemptFailure.fit(whole + "tool");
    var last = new AttemptFailure(0, "e", FailureCause.USER, 1, "a" + whole, "w", Instant.EPOCH);

    assertThat(whole).hasSize(AttemptFailure.EVIDENCE_CAP);
    assertThat(AttemptFailure.fit(whole)).isEqualTo(whole);
    assertThat(fitted).hasSize(AttemptFailure.EVIDENCE_CAP).endsWith("/bin…");
    assertThat(AttemptFailure.fit(fitted)).isEqualTo(fitted);
    assertThat(last.evidence()).hasSize(AttemptFailure.EVIDENCE_CAP).startsWith("…ATH=");
  }

  /** What failed by the user's own fault is no waste, and what a checkpoint keeps is none. */
  @Test
  void attemptIsWastedSinceItsCheckpoint() {
    for (var cause : FailureCause.values()) {
      var ended = Instant.ofEpochSecond(60);
      var failure = new AttemptFailure(0, "s0e1", cause, 1, SAID, "w", ended).begun(Instant.EPOCH);
      var budget = cause.budget();
      var others =
          budget == FailureCause.Budget.INFRASTRUCTURE || budget == FailureCause.Budget.PLATFORM;

      assertThat(failure.wasted()).as("%s", cause).isEqualTo(ofSeconds(others ? 60 : 0));
      assertThat(failure.asKept().wasted()).as("%s, kept", cause).isZero();
      assertThat(failure.keptUntil(ended.minusSeconds(13)).wasted())
          .as("%s, kept but for 13 s", cause)
          .isEqualTo(ofSeconds(others ? 13 : 0));
      assertThat(failure.keptUntil(ended.plusSeconds(1)).wasted()).as("%s", cause).isZero();
    }
  }

  @Test
  void timeOfAnAttemptIsNeverNegative() {
    var failure =
        new AttemptFailure(0, "s0e1", FailureCause.LOST, 1, SAID, "w", Instant.ofEpochSecond(60));

    assertThat(failure.ran()).isEqualTo(Duration.ZERO);
    assertThat(failure.begun(Instant.EPOCH).ran()).isEqualTo(Duration.ofMinutes(1));
    assertThat(failure.begun(Instant.ofEpochSecond(90)).ran()).isEqualTo(Duration.ZERO);
  }
}
