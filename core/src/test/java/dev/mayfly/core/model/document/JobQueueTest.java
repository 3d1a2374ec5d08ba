package dev.mayfly.core.model.document;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.job.Placement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobQueueTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final Optional<List<JobQueue.OwnerUse>> USES =
      Optional.of(List.of(new JobQueue.OwnerUse("ada", 4, 1, T0)));

  private static JobQueue.Row row(String job, String owner) {
    return new JobQueue.Row(
        job,
        job,
        owner,
        50,
        T0,
        Resources.cpu(1, GIB),
        Placement.ANYWHERE,
        false,
        0,
        Optional.empty(),
        0,
        Optional.empty(),
        1,
        List.of(),
        Optional.empty());
  }

  /** Between two counts every submission and every end writes the queue. */
  @Test
  void whatOwnersRanOutlivesEveryChange() {
    var queue = JobQueue.of("c", T0, List.of(row("j1", "ada"))).withUses(USES);

    assertThat(
            List.of(
                queue.with(row("j2", "bob"), T0),
                queue.without("j1", T0),
                queue.plusWaiting("j3", T0),
                queue.withWaiting(List.of("j4")),
                queue.withCounted(Optional.of(T0))))
        .extracting(JobQueue::uses)
        .containsOnly(USES);
  }

  @Test
  void nothingRanIsNoPast() {
    assertThat(JobQueue.of("c", T0, List.of()).withUses(Optional.of(List.of())).uses()).isEmpty();
  }
}
