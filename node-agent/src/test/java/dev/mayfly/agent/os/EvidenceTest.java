package dev.mayfly.agent.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EvidenceTest {
  @Test
  void keepsTheLastLines() {
    assertThat(Evidence.last("one\n\ntwo\n")).isEqualTo("one\ntwo");
  }

  @Test
  void keepsWholeLinesOfTheLast200Characters() {
    assertThat(Evidence.last("a".repeat(150) + "\n" + "b".repeat(150) + "\nend\n"))
        .isEqualTo("b".repeat(150) + "\nend");
    assertThat(Evidence.last("x".repeat(500))).isEqualTo("x".repeat(200));
  }

  @Test
  void takesAwayColoursTitlesAndControls() {
    assertThat(Evidence.last("\u001B[31mred\u001B[0m \u001B]0;title\u0007bell\u0007\b\u0000 é"))
        .isEqualTo("red bell é");
  }

  @Test
  void aProgressBarIsItsLastState() {
    assertThat(Evidence.last("10%\r50%\r100%\nok\r\n")).isEqualTo("100%\nok");
  }

  @Test
  void readsTheEndOfALargeLogAndNothingOfNone(@TempDir Path folder) throws Exception {
    var log = Files.writeString(folder.resolve("log"), "line\n".repeat(100_000) + "last words\n");

    assertThat(Evidence.of(log)).endsWith("line\nlast words").hasSizeLessThanOrEqualTo(200);
    assertThat(Evidence.of(folder.resolve("none"))).isEmpty();
  }
}
