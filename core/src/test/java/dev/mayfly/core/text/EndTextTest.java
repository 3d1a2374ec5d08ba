package dev.mayfly.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "18 done | ''",
        "1,018 done (17 before, 1,001 run) | 17 before, 1,001 run",
        "0 done, 1 not finished; stopped by ann (claimed) | stopped by ann (claimed)",
        "3 done, 1 failed for good, 2 stopped, 1 inconsistent: the output is not pinned"
            + " | 1 inconsistent: the output is not pinned",
        "it had no tasks | it had no tasks"
      })
  void listsShowWhatIsNotInColumns(String text, String shown) {
    assertThat(EndText.withoutCounts(text)).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1,018 done (17 before, 1,001 run) | ''",
        "0 done (1 adopted), 1 not finished; stopped by ann (claimed) | stopped by ann (claimed)",
        "did not start: its predecessor a failed | did not start: its predecessor a failed"
      })
  void reasonHasNoNumbersOfTasks(String text, String reason) {
    assertThat(EndText.reason(text)).isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no (user error, exit code 1)",
        "all 3 done; then 4 done, boom",
        "odd; 5 done; text"
      })
  void causeIsKeptWhateverItSays(String cause) {
    var text = EndText.of(Optional.of(cause), "0 done, 2 failed for good; stopped by ann");

    assertThat(EndText.withoutCounts(text)).isEqualTo(cause + "; stopped by ann");
  }
}
