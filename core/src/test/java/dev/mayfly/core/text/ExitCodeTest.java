package dev.mayfly.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ExitCodeTest {
  @Test
  void signalsHaveTheirNames() {
    assertThat(ExitCode.format(139)).isEqualTo("exit code 139, SIGSEGV");
    assertThat(ExitCode.format(143)).isEqualTo("exit code 143, SIGTERM");
    assertThat(ExitCode.format(3)).isEqualTo("exit code 3");
    assertThat(ExitCode.format(255)).isEqualTo("exit code 255");
  }
}
