package dev.mayfly.local.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.local.http.ApiError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Patterns come from tasks, and one that never ends would block the whole cloud. */
class MatchGlobTest {
  /** With backtracking it would not end: each star could stand for any part of the name. */
  @Test
  @Timeout(20)
  void patternOfManyStarsIsMatchedInTime() {
    var glob = MatchGlob.of("**a".repeat(14) + "b");

    assertThat(glob.matches("a".repeat(60))).isFalse();
    assertThat(glob.matches("a".repeat(60) + "b")).isTrue();
  }

  @Test
  void patternThatIsTooLongIsRefused() {
    assertThatThrownBy(() -> MatchGlob.of("a".repeat(1_025)))
        .isInstanceOf(ApiError.class)
        .hasMessageContaining("longer than 1024 characters");
  }
}
