package dev.mayfly.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.job.TaskTotals;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartDecisionTest {
  private static final Instant SINCE = Instant.parse("2026-01-31T10:00:00Z");
  private static final Map<String, JobState> STATES =
      Map.of(
          "waiting",
          new JobState.Waiting(SINCE),
          "running",
          new JobState.Running(SINCE),
          "finishing",
          new JobState.Finishing(SINCE, false),
          "succeeded",
          ended(JobState.Result.SUCCEEDED),
          "failed",
          ended(JobState.Result.FAILED),
          "stopped",
          ended(JobState.Result.STOPPED));

  private static JobState ended(JobState.Result result) {
    return new JobState.Ended(SINCE, result, "", TaskTotals.NONE, Map.of(), Optional.empty());
  }

  private static Predecessor predecessor(String job, Predecessor.On on) {
    return new Predecessor(job, Optional.of(job).filter(STATES::containsKey), on);
  }

  private static String decide(Duration waited, Predecessor... predecessors) {
    var rules = new AdmissionRules(List.of(predecessors));
    var decision =
        StartDecision.of(
            rules, SINCE, SINCE.plus(waited), uid -> Optional.ofNullable(STATES.get(uid)));
    return switch (decision) {
      case StartDecision.Start _ -> "start";
      case StartDecision.Wait _ -> "wait";
      case StartDecision.End end -> end.result() + " did not start: " + end.why();
    };
  }

  @ParameterizedTest
  @CsvSource({
    "waiting, wait, wait",
    "running, wait, wait",
    "finishing, wait, wait",
    "unknown, wait, wait",
    "succeeded, start, start",
    "failed, FAILED did not start: its predecessor failed failed, start",
    "stopped, STOPPED did not start: its predecessor stopped was stopped, start"
  })
  void decisionOfOnePredecessor(String state, String onSuccess, String onEnd) {
    assertThat(decide(Duration.ZERO, predecessor(state, Predecessor.On.SUCCESS)))
        .isEqualTo(onSuccess);
    assertThat(decide(Duration.ZERO, predecessor(state, Predecessor.On.END))).isEqualTo(onEnd);
  }

  @ParameterizedTest
  @CsvSource({
    "succeeded, running, wait",
    "running, succeeded, wait",
    "running, failed, FAILED did not start: its predecessor failed failed",
    "unknown, stopped, STOPPED did not start: its predecessor stopped was stopped",
    "succeeded, succeeded, start"
  })
  void decisionOfTwoPredecessors(String one, String other, String expected) {
    assertThat(
            decide(
                Duration.ZERO,
                predecessor(one, Predecessor.On.SUCCESS),
                predecessor(other, Predecessor.On.SUCCESS)))
        .isEqualTo(expected);
  }

  @Test
  void endNamesWhatWouldHaveStartedIt() {
    var rules = new AdmissionRules(List.of(predecessor("failed", Predecessor.On.SUCCESS)));

    assertThat(StartDecision.of(rules, SINCE, SINCE, uid -> Optional.ofNullable(STATES.get(uid))))
        .isInstanceOfSatisfying(
            StartDecision.End.class,
            end ->
                assertThat(end.reason())
                    .isEqualTo(
                        "did not start: its predecessor failed failed; with after:"
                            + " [{job: failed, on: end}] it starts then too"));
  }

  @ParameterizedTest
  @CsvSource({"899, wait", "900, FAILED did not start: its predecessor unknown did not arrive"})
  void unknownPredecessorIsAwaitedForBoundedTime(long seconds, String expected) {
    for (var on : Predecessor.On.values())
      assertThat(decide(Duration.ofSeconds(seconds), predecessor("unknown", on)))
          .startsWith(expected);
  }
}
