package dev.mayfly.cli.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The exporter's home is in no file that others read. */
class HomePathsTest {
  private final HomePaths homePaths =
      new HomePaths(Map.of("HOME", "/home/ann", "MAYFLY_HOME", "/home/ann/.mayfly"));

  @Test
  void homeIsATildeWhereverAPathMayBegin() {
    assertThat(homePaths.replacedIn("[\"/home/ann/x\",\"cp:/home/ann\",\"file:///home/ann/y\"]"))
        .isEqualTo("[\"~/x\",\"cp:~\",\"file://~/y\"]");
    assertThat(homePaths.replacedIn("\"at\\n/home/ann/x\\u001b/home/ann/y\""))
        .isEqualTo("\"at\\n~/x\\u001b~/y\"");
  }

  @Test
  void longestHomeComesFirst() {
    assertThat(homePaths.replacedIn("\"/home/ann/.mayfly/cloud\""))
        .isEqualTo("\"$MAYFLY_HOME/cloud\"");
  }

  @Test
  void otherPathsStay() {
    var others = "[\"/home/anna\",\"/data/home/ann/x\",\"gs://home/ann\",\"/home/ann-2\"]";

    assertThat(homePaths.replacedIn(others)).isEqualTo(others);
  }

  @Test
  void rootIsNoHome() {
    assertThat(new HomePaths(Map.of("HOME", "/")).replacedIn("\"/ /data\""))
        .isEqualTo("\"/ /data\"");
  }
}
