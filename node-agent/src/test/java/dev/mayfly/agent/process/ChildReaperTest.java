package dev.mayfly.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChildReaperTest {
  private static final int NO_CHILD = -10;

  /** Its status word stays 0 then, which would be a success. */
  @Test
  void unknownEndIsNoSuccess() {
    assertThat(ChildReaper.ended(7, NO_CHILD, 0)).isEqualTo(new ProcessExit.Signal(9));
    assertThat(ChildReaper.ended(7, 7, 0)).isEqualTo(new ProcessExit.Code(0));
    assertThat(ChildReaper.ended(7, 7, 3 << 8)).isEqualTo(new ProcessExit.Code(3));
    assertThat(ChildReaper.ended(7, 7, 15)).isEqualTo(new ProcessExit.Signal(15));
  }
}
