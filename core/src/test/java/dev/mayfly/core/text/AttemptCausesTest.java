package dev.mayfly.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AttemptCausesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static AttemptFailure failure(long task, FailureCause cause, int code, String said) {
    return new AttemptFailure(task, "s0e1", cause, code, said, "w", NOW);
  }

  private static Shard ended(AttemptFailure... failures) {
    var shard = Shard.of(new DocumentKey.OfShard("u", "j", 0), 5, TaskSet.none(0));
    var leased = ShardTransitions.grant(shard, new Shard.Owner("w", 1), NOW);
    var ref = new LeaseRef("j", 0, leased.epoch());
    var report =
        new SyncReport.Lease(
            ref, 5, TaskSet.none(0), List.of(failures), List.of(), 5, true, List.of(), List.of());
    return ShardTransitions.release(leased, report, SpecFixtures.retries(1), NOW);
  }

  @Test
  void whatOtherTasksSurvivedIsNoCause() {
    var shard =
        ended(
            failure(1, FailureCause.PREEMPTED, -1, "the cloud took the machine"),
            failure(2, FailureCause.PREEMPTED, -1, "the cloud took the machine"),
            failure(0, FailureCause.USER, 3, "ValueError: bad input"));

    assertThat(AttemptCauses.ofFailedTasks(List.of(shard), "j"))
        .contains("ValueError: bad input (user error, exit code 3)");
  }

  @Test
  void lastWordsOfAKilledProgramAreNoCause() {
    var shard = ended(failure(0, FailureCause.OUT_OF_MEMORY, 137, "loading 40,000 images"));

    assertThat(AttemptCauses.ofFailedTasks(List.of(shard), "j"))
        .contains("out of memory, exit code 137, SIGKILL: loading 40,000 images");
  }

  @Test
  void withoutSuchTaskThereIsNoCause() {
    var shard = ended(failure(1, FailureCause.PREEMPTED, -1, "the cloud took the machine"));

    assertThat(AttemptCauses.ofFailedTasks(List.of(shard), "j")).isEmpty();
  }

  @Test
  void wordsDifferingInPathsAndNumbersAreOneCause() {
    var failures =
        List.of(
            said(0, "FileNotFoundError: [Errno 2] No such file: 'gs://lab/in/a-3.txt'"),
            said(1, "ValueError: 490 is beyond the wall"),
            said(2, "FileNotFoundError: [Errno 2] No such file: '/data/b'"),
            said(3, "FileNotFoundError: [Errno 2] No such file: 'cats.txt'"));

    assertThat(AttemptCauses.of(failures))
        .containsExactly(
            new AttemptCauses.Cause(
                "user error, exit code 1: FileNotFoundError: [Errno 2] No such file:"
                    + " 'gs://lab/in/a-3.txt', and alike with other paths or numbers",
                3,
                false,
                Set.of(0L, 2L, 3L)),
            new AttemptCauses.Cause(
                "user error, exit code 1: ValueError: 490 is beyond the wall",
                1,
                false,
                Set.of(1L)));
  }

  @Test
  void otherNamesAndExitCodesAreOtherCauses() {
    var failures =
        List.of(
            said(0, "No module named 'numpy.linalg'"),
            said(1, "No module named 'torch.nn'"),
            said(2, "KeyError: 'a'"),
            said(3, "KeyError: 'b'"),
            failure(4, FailureCause.USER, 3, "KeyError: 'b'"));

    assertThat(AttemptCauses.of(failures)).hasSize(5);
  }

  @Test
  void otherCausesOfFailedTasksAreCounted() {
    var shard = ended(said(0, "KeyError: 'a'"), said(1, "KeyError: 'a'"), said(2, "ValueError: 7"));

    assertThat(AttemptCauses.ofFailedTasks(List.of(shard), "tune"))
        .contains(
            "KeyError: 'a' (user error, exit code 1), and 1 other cause:"
                + " mayfly tasks tune --state failed");
  }

  private static AttemptFailure said(long task, String words) {
    return failure(task, FailureCause.USER, 1, words);
  }
}
