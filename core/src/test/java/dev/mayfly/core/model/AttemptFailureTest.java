package dev.mayfly.core.model;

import static org.assertj.core.api.Assertions.assertThat;

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
}
