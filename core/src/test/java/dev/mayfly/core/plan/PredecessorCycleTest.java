package dev.mayfly.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PredecessorCycleTest {
  @Test
  void chainsAndDiamondsHaveNone() {
    assertThat(PredecessorCycle.find(Map.of())).isEmpty();
    assertThat(
            PredecessorCycle.find(
                Map.of(
                    "a", List.of(), "b", List.of("a"), "c", List.of("a"), "d", List.of("b", "c"))))
        .isEmpty();
    assertThat(PredecessorCycle.find(Map.of("a", List.of("elsewhere")))).isEmpty();
  }

  @Test
  void namesOnlyJobsOfTheCycle() {
    var jobs =
        Map.of(
            "a",
            List.of("b"),
            "b",
            List.of("c"),
            "c",
            List.of("d"),
            "d",
            List.of("b"),
            "e",
            List.of("d"));

    assertThat(PredecessorCycle.find(jobs)).contains(List.of("b", "c", "d"));
  }

  @Test
  void jobAfterItselfIsCycle() {
    assertThat(PredecessorCycle.find(Map.of("a", List.of("a")))).contains(List.of("a"));
  }

  @Test
  void longChainNeedsNoDeepStack() {
    var jobs = new HashMap<String, List<String>>();
    for (var i = 0; i < 20_000; i++) jobs.put("j" + i, List.of("j" + (i + 1)));
    assertThat(PredecessorCycle.find(jobs)).isEmpty();

    jobs.put("j20000", List.of("j0"));
    assertThat(PredecessorCycle.find(jobs).orElseThrow()).hasSize(20_001);
  }
}
