package dev.mayfly.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.VetoText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When tasks that fail alike tell of their command, and when only of themselves. */
class CrashLoopsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

  /** Leased tasks of which so many began, and of these the first so many failed. */
  private static Shard leased(long size, int began, int failed) {
    var shard =
        ShardTransitions.grant(
            Shard.of(new DocumentKey.OfShard("c", "j", 0), size, TaskSet.none(0)),
            new Shard.Owner("w1", 1),
            NOW);
    var ref = new LeaseRef("j", 0, shard.epoch());
    var failures =
        IntStream.range(0, failed)
            .mapToObj(
                i -> new AttemptFailure(i, ref.attempt(), FailureCause.USER, 1, "words", "w1", NOW))
            .toList();
    var report =
        new SyncReport.Lease(
            ref, size, TaskSet.none(0), failures, List.of(), began, false, List.of(), List.of());
    return ShardTransitions.checkpoint(shard, report, List.of(), NOW);
  }

  private static Optional<JobVeto.CrashLoop> loop(long of, int began, int failed) {
    return CrashLoops.of(of, List.of(leased(of, began, failed)));
  }

  private static String words(JobVeto.CrashLoop loop) {
    var text = VetoText.of(loop, NOW);
    return text.kind() + ": " + text.text();
  }

  @Test
  void fewFailuresOfManyTasksAreNoLoop() {
    assertThat(words(loop(1_000, 5, 3).orElseThrow()))
        .isEqualTo(
            "first-failures: no task has succeeded, and 3 attempts of the first 3 of 1,000 tasks on 1 worker all ended with exit code 1: their logs tell whether it is the command and its environment, or the input of these tasks; until one succeeds, no machine is launched for more of them");
    assertThat(words(loop(1_000, 12, 10).orElseThrow()))
        .startsWith("crash-loop: no task has succeeded, and 10 attempts of 10 tasks on 1 worker")
        .contains("look for the mistake in the command");
  }

  @Test
  void allTasksOfASmallJobAreALoop() {
    assertThat(words(loop(3, 3, 3).orElseThrow())).startsWith("crash-loop: ");
    assertThat(words(loop(4, 4, 3).orElseThrow())).startsWith("first-failures: ");
  }

  @Test
  void moreTasksThatRunThanFailedAreNoLoop() {
    assertThat(loop(1_000, 6, 3)).isPresent();
    assertThat(loop(1_000, 7, 3)).isEmpty();
  }

  @Test
  void failuresThatAreLeftOutAreNoRunningTasks() {
    assertThat(loop(1_000, 900, 50)).isPresent();
  }
}
