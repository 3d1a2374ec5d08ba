package dev.mayfly.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a shard keeps of large gangs fits a document. */
class GangEvidenceTest {
  private static final List<String> GANG =
      IntStream.range(0, 390).mapToObj(i -> "lab-cpu-" + i).toList();

  private static AttemptFailure failure(int epoch) {
    return new AttemptFailure(
            0, "s0e" + epoch, FailureCause.LOST, -1, "", GANG.getFirst(), Instant.EPOCH)
        .on(GANG);
  }

  @Test
  void newestAttemptsKeepTheWorkersOfTheirGang() {
    var shard = Shard.of(new DocumentKey.OfShard("lab", "j", 0), 1, TaskSet.none(0));
    var failures = IntStream.range(0, 5).mapToObj(GangEvidenceTest::failure).toList();

    var after = new ShardBuilder(shard).evidence(List.of(), failures).build();

    assertThat(after.evidence())
        .extracting(it -> it.allWorkers().size())
        .containsExactly(1, 1, 1, 390, 390);
    assertThat(after.workers("s0e4")).contains(GANG);
    assertThat(after.workers("s0e0")).isEmpty();
    assertThat(after.evidence().getLast().place()).isEqualTo("lab-cpu-0, with 389 others");
  }
}
