package dev.mayfly.core.model;

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

  /** What a checkpoint keeps, and what failed by the user's own fault, is no waste. */
  @Test
  void attemptThatIsNobodysFaultIsWasted() {
    for (var cause : FailureCause.values()) {
      var failure = new AttemptFailure(0, "s0e1", cause, 1, SAID, "w", Instant.EPOCH);
      var budget = cause.budget();
      var others =
          budget == FailureCause.Budget.INFRASTRUCTURE || budget == FailureCause.Budget.PLATFORM;

      assertThat(failure.isWasted()).as("%s", cause).isEqualTo(others);
      assertThat(failure.asKept().isWasted()).as("%s, kept", cause).isFalse();
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
