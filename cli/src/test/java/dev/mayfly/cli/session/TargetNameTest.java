package dev.mayfly.cli.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.cli.error.CommandException;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Targets and ports as users write them. */
class TargetNameTest {
  @ParameterizedTest
  @CsvSource({
    "train, train, -1, -1",
    "train/0, train, 0, -1",
    "train/999999999.389, train, 999999999, 389",
    "lab-cpu-7f3a, lab-cpu-7f3a, -1, -1",
    "lab-v4-7f3a.3, lab-v4-7f3a, -1, 3",
    "j24ee825fc0aed86/7, j24ee825fc0aed86, 7, -1",
    "ann/train, ann/train, -1, -1",
    "ann.b@lab.org/train/3.1, ann.b@lab.org/train, 3, 1",
  })
  void targetHasNameIndexAndNumber(String text, String name, long index, int number) {
    assertThat(TargetName.of(text))
        .isEqualTo(
            new TargetName(
                name,
                index < 0 ? OptionalLong.empty() : OptionalLong.of(index),
                number < 0 ? OptionalInt.empty() : OptionalInt.of(number)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/0",
        "train/",
        "train/-1",
        "train/0.",
        "train/0/1",
        "a b",
        "$(id)",
        "../x",
        "train/99999999999",
        "-rf",
        "a\nb"
      })
  void everythingElseIsRefusedWithBothForms(String text) {
    assertThatThrownBy(() -> TargetName.of(text))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("write WORKER, or JOB/INDEX");
  }

  @Test
  void portsArePairsOrAlone() {
    assertThat(PortPair.of("8080:80")).isEqualTo(new PortPair(8080, 80));
    assertThat(PortPair.of("6006")).isEqualTo(new PortPair(6006, 6006));
    assertThat(PortPair.of(":80")).isEqualTo(new PortPair(0, 80));
    assertThat(PortPair.of("0:80")).isEqualTo(new PortPair(0, 80));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "80:", "80:0", "65536", "1:65536", "a:1", "1:2:3", "-1:2"})
  void wrongPortsAreRefused(String text) {
    assertThatThrownBy(() -> PortPair.of(text))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("write LOCAL:REMOTE");
  }
}
