package dev.mayfly.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class PrintableTextTest {
  @Test
  void terminalControlSequencesAreRemoved() {
    assertThat(
            PrintableText.text(
                "a\u001b[31mred\u001b[0m\u001b]0;title\u0007 b\r\nc\td\u009b2J\u202e"))
        .isEqualTo("ared b\nc\td2J");
    assertThat(PrintableText.line("two\nlines\u0007")).isEqualTo("two lines");
    assertThat(PrintableText.text("grüße — 你好")).isEqualTo("grüße — 你好");
  }

  @Test
  void workerNamesAreSanitized() {
    var attemptFailure =
        new AttemptFailure(
            1, "1", FailureCause.USER, 3, "said\u001b[2J", "w\u001b]0;title\u0007", Instant.EPOCH);

    assertThat(JobLines.failure(attemptFailure, "")).endsWith("on w: said");
  }
}
