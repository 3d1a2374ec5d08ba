package dev.mayfly.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ErrorLineTest {
  private static final String HEAD = "Traceback (most recent call last):";
  private static final String FRAME = "  File \"train.py\", line 7, in <module>";

  @Test
  void exceptionIsFoundBeforeWhatIsPrintedBehindIt() {
    assertThat(why(HEAD, FRAME, "    main()", "train.Diverged: loss is 9", "step 1", "ERROR: bye"))
        .isEqualTo("train.Diverged: loss is 9");
  }

  @Test
  void lastOfSeveralTracebacksCounts() {
    assertThat(
            why(HEAD, FRAME, "KeyError: 'a'", "During handling:", HEAD, FRAME, "Lost: no 'a'", "x"))
        .isEqualTo("Lost: no 'a'");
  }

  @Test
  void launchersExceptionIsNotWhy() {
    assertThat(
            why(
                HEAD,
                FRAME,
                "ValueError: lr",
                HEAD,
                FRAME,
                "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ",
                "train.py FAILED"))
        .isEqualTo("ValueError: lr");
    assertThat(why("start", HEAD, FRAME, "subprocess.CalledProcessError: exit 2"))
        .isEqualTo("subprocess.CalledProcessError: exit 2");
  }

  @Test
  void tracebacksOfRanksAndGroupsHaveAPrefix() {
    var rank = "[rank1]: ";
    assertThat(why(rank + HEAD, rank + FRAME, "step 4", rank + "    f()", rank + "Bad: x", "y"))
        .isEqualTo(rank + "Bad: x");
    assertThat(
            why("  + Exception Group " + HEAD, "  | " + FRAME, "    | " + HEAD, "    | A: b", "z"))
        .isEqualTo("    | A: b");
  }

  @Test
  void cutTracebackEndsWithAnErrorAllTheSame() {
    assertThat(why("    main()", "torch.OutOfMemoryError: CUDA out of memory.", "step 3"))
        .isEqualTo("torch.OutOfMemoryError: CUDA out of memory.");
    assertThat(why(HEAD, FRAME)).isEqualTo(FRAME);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "train.py: error: unrecognized arguments: --lrr",
        "bash: line 1: pyton: command not found",
        "2026-11-29 12:00:01 ERROR no data",
        "[error]: no data",
        "fatal: not a git repository",
        "thread 'main' panicked at src/main.rs:2",
        "E1122 coordination.cc:1] DEADLINE_EXCEEDED",
        "Segmentation fault (core dumped)",
        "cp: cannot stat 'x': No such file or directory",
        "Exception in thread \"main\" X: no",
        "Error: 3 files are missing from the set"
      })
  void lastLineThatLooksLikeAnErrorIsWhy(String error) {
    assertThat(why("error: an earlier one", error, "cleaning up", "bye")).isEqualTo(error);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "step 4 error: 0.25",
        "error: 0.5 loss: 2",
        "val error: 3e-4, loss 2",
        "no errors",
        "mean error 3"
      })
  void measuredErrorsAreNone(String line) {
    assertThat(why("warming up", line, "giving up: too few samples"))
        .isEqualTo("giving up: too few samples");
  }

  @Test
  void detailOnTheNextLineIsKept() {
    assertThat(
            why(HEAD, FRAME, "RuntimeError: Error(s) in loading state_dict:", "  size 3", "step 1"))
        .isEqualTo("RuntimeError: Error(s) in loading state_dict: size 3");
  }

  @Test
  void linesBeforeItAreKept() {
    assertThat(ErrorLine.last(List.of("a", "error: b", "c"))).containsExactly("a", "error: b");
    assertThat(ErrorLine.last(List.of())).isEmpty();
  }

  private static String why(String... lines) {
    return ErrorLine.last(List.of(lines)).getLast();
  }
}
