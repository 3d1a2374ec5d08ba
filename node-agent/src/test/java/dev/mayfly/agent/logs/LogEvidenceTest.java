package dev.mayfly.agent.logs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogEvidenceTest {
  @Test
  void keepsLastLines() {
    assertThat(LogEvidence.last("one\n\ntwo\n")).isEqualTo("one\ntwo");
  }

  @Test
  void keepsWholeLinesOfTheLast200Characters() {
    assertThat(LogEvidence.last("a".repeat(150) + "\n" + "b".repeat(150) + "\nend\n"))
        .startsWith("a".repeat(30) + " … aaa")
        .endsWith("a\n" + "b".repeat(150) + "\nend")
        .hasSize(200);
    assertThat(LogEvidence.last("a".repeat(150) + "\n" + "b".repeat(180) + "\nend\n"))
        .isEqualTo("b".repeat(180) + "\nend");
  }

  @Test
  void longLineKeepsBothEnds() {
    assertThat(LogEvidence.last("RESOURCE_EXHAUSTED: " + "x".repeat(500) + " while allocating"))
        .startsWith("RESOURCE_EXHAUSTED: xx")
        .contains("x … x")
        .endsWith("x while allocating")
        .hasSize(200);
  }

  @Test
  void marksBelowALineOfSourceAreNoWords() {
    var log =
        """
        Traceback (most recent call last):
          File "train.py", line 4, in <module>
            loss = model(batch).backward(retain_graph=True, inputs=parameters)
                   ~~~~~^^^^^^^
        [rank0]:     ^^^^^^^^^^^^
        ValueError: loss is nan
        """;

    assertThat(LogEvidence.last(log)).doesNotContain("^").endsWith("\nValueError: loss is nan");
    assertThat(LogEvidence.last("2 ^ 3\n")).isEqualTo("2 ^ 3");
  }

  @Test
  void cutsLeaveNoHalfCharacters() {
    for (var shift = 0; shift < 4; shift++) {
      var shown = LogEvidence.last("x".repeat(shift) + "𝄞".repeat(300));

      assertThat(shown).isEqualTo(new String(shown.getBytes(UTF_8), UTF_8)).contains(" … ");
    }
  }

  @Test
  void nativeFramesDoNotHideTheError() {
    var log =
        """
        step 12
        E1122 coordination_service.cc:1] DEADLINE_EXCEEDED: Barrier timed out. Waiting for [/task:3]
        *** Check failure stack trace: ***
            @     0x7f1d2c5a1f6d  absl::lts_20230802::log_internal::LogMessage::PrepareToDie()
            @     0x7f1d2a0e3b43  xla::DistributedRuntimeClient::Connect()
        PC: @     0x7f1d2a0e3b43  (unknown)  raise
        #1  0x00007f5f8c5d2859 in __GI_abort () at abort.c:79
        /lib/x86_64-linux-gnu/libc.so.6(+0x38d60) [0x7f2f1d5a4d60]
        E0000 00:00:1 coredump_hook.cc:316] RAW: Remote crash gathering hook invoked.
        Fatal Python error: Aborted

        Current thread 0x00007f2f1d7a8740 (most recent call first):
          File "/usr/lib/python3/jax/_src/distributed.py", line 88 in initialize
        Extension modules: numpy.core._multiarray_umath, numpy.core._multiarray_tests
        """;

    assertThat(LogEvidence.last(log))
        .isEqualTo(
            "step 12\nE1122 coordination_service.cc:1] DEADLINE_EXCEEDED: Barrier timed out."
                + " Waiting for [/task:3]\nFatal Python error: Aborted");
  }

  @Test
  void framesOfUserLanguageAreKept() {
    var log =
        """
        Traceback (most recent call last):
          File "train.py", line 3, in <module>
            main()
        ValueError: no such model
        """;

    assertThat(LogEvidence.last(log)).isEqualTo(log.strip());
    assertThat(
            LogEvidence.last(
                "Exception in thread \"main\" X: no\n\tat a.B.c(D.java:1)\n\t... 3 more"))
        .isEqualTo("Exception in thread \"main\" X: no");
  }

  @Test
  void whatIsPrintedBehindTheErrorIsLeftOut() {
    assertThat(
            LogEvidence.last(
                "Traceback (most recent call last):\n  File \"t.py\", line 2, in <module>\n"
                    + "ValueError: lr\n"
                    + "training with lr=3\n".repeat(100)))
        .endsWith("line 2, in <module>\nValueError: lr");
  }

  @Test
  void oneThatWasKilledHasItsLastLines(@TempDir Path folder) throws Exception {
    try (var log = LogFile.make(folder.resolve("log"))) {
      Files.writeString(log.path(), "error: no cache\nstep 9\n");

      assertThat(LogEvidence.of(log, 137)).isEqualTo("error: no cache\nstep 9");
      assertThat(LogEvidence.of(log, 1)).isEqualTo("error: no cache");
    }
  }

  @Test
  void removesColoursTitlesAndControls() {
    assertThat(
            LogEvidence.last(
                "\u001B[31mred\u001B[0m \u001B]0;title\u0007bell\u0007\b\u0000\uFFFD é"))
        .isEqualTo("red bell é");
  }

  @Test
  void keepsProgressBarsLastState() {
    assertThat(LogEvidence.last("10%\r50%\r100%\nok\r\n")).isEqualTo("100%\nok");
  }

  @Test
  void readsOnlyTailOfLargeLog(@TempDir Path folder) throws Exception {
    try (var log = LogFile.make(folder.resolve("log"))) {
      assertThat(LogEvidence.of(log)).isEmpty();
      Files.writeString(log.path(), "line\n".repeat(100_000) + "last words\n");

      assertThat(LogEvidence.of(log))
          .startsWith("line\n")
          .endsWith("line\nlast words")
          .hasSizeLessThanOrEqualTo(200);
    }
  }
}
