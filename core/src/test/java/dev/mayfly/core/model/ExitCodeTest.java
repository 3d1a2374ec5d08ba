package dev.mayfly.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ExitCodeTest {
  @Test
  void signalsHaveTheirNames() {
    assertThat(ExitCode.words(139)).isEqualTo("exit code 139, SIGSEGV");
    assertThat(ExitCode.words(143)).isEqualTo("exit code 143, SIGTERM");
    assertThat(ExitCode.words(3)).isEqualTo("exit code 3");
    assertThat(ExitCode.words(255)).isEqualTo("exit code 255");
  }
}
