package dev.mayfly.core.plan.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.model.worker.MachineUsage.Part;
import dev.mayfly.core.model.worker.MachineUsage.Purpose;
import dev.mayfly.core.plan.PlanFixtures;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LostWorkTest {
  private static final String POOL = "any--n1-standard-4";

  private static PoolSpec pool() {
    return PlanFixtures.pool(POOL).build();
  }

  private static LostWork work(Stockout... memories) {
    var view = PlanFixtures.view(pool());
    for (var memory : memories) view.stockout(memory);
    return new LostWork(view.build());
  }

  private static Stockout lives(int lives, double kept, double lost, double age, String job) {
    var hour = Duration.ofHours(1).toMillis();
    var ended = PlanFixtures.ago(Duration.ofMinutes(Math.round(60 * age)));
    var done = new Stockout.Work(job, Math.round(kept * hour), Math.round(lost * hour));
    var life = new Stockout.Life(ended, lost > 0, List.of(done));
    return new Stockout(
        PlanFixtures.ZONE,
        "lives." + pool().machineType(),
        "LIVES",
        Collections.nCopies(lives, ended),
        Optional.empty(),
        Optional.of(Collections.nCopies(lives, life)));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0,   0,  1",
    "1, 0, 0.5, 0,  1.25",
    "1, 8, 0.5, 0,  1.05",
    "6, 0, 0.5, 0,  2.5",
    "6, 0, 0.5, 6,  1.75",
    "6, 0, 0.5, 12, 1.375",
    "6, 0, 0.5, 25, 1",
    "20, 0, 0.5, 0, 6",
  })
  void hourOfKeptWorkCostsMore(int lives, double kept, double lost, double age, double factor) {
    assertThat(work(lives(lives, kept, lost, age, "u")).factor(pool(), PlanFixtures.ZONE, "u"))
        .isCloseTo(factor, within(0.001));
  }

  /** Of short tasks little is lost, where long ones lose all. */
  @Test
  void jobGoesByItsOwnLosses() {
    var hour = Duration.ofHours(1).toMillis();
    var both =
        List.of(
            new Stockout.Work("long", 0, 4 * hour),
            new Stockout.Work("short", 2 * hour, 0),
            new Stockout.Work("new", hour / 2, 0));
    var memory =
        new Stockout(
            PlanFixtures.ZONE,
            "lives." + pool().machineType(),
            "LIVES",
            List.of(PlanFixtures.NOW),
            Optional.empty(),
            Optional.of(List.of(new Stockout.Life(PlanFixtures.NOW, true, both))));

    assertThat(List.of("long", "short", "new"))
        .map(job -> Math.round(100 * work(memory).factor(pool(), PlanFixtures.ZONE, job)))
        .containsExactly(300L, 100L, 189L);
    assertThat(work(memory).text(pool(), PlanFixtures.ZONE, "long"))
        .contains(
            "%s was taken back or lost 1 time lately in %s, with 4h of 4h of work"
                .formatted(pool().machineType(), PlanFixtures.ZONE));
  }

  private static Worker ran(Purpose purpose, Duration time) {
    var usage =
        MachineUsage.from(Optional.empty(), PlanFixtures.NOW.minus(time))
            .counted(List.of(new Part(purpose, Optional.of("u"), 1)), PlanFixtures.NOW);
    var view = PlanFixtures.view(pool()).worker(POOL, PlanFixtures.busy());
    return view.with(w -> w.withUsage(usage)).build().workers().getFirst();
  }

  @Test
  void whatIsRememberedBeginsWithALoss() {
    var kept = ran(Purpose.TASKS, Duration.ofHours(3));
    var taken = ran(Purpose.PREEMPTED, Duration.ofHours(1));
    var first = LostWork.ended(Optional.empty(), taken, true, PlanFixtures.NOW);
    var second = LostWork.ended(first, kept, false, PlanFixtures.NOW);

    assertThat(LostWork.ended(Optional.empty(), kept, false, PlanFixtures.NOW)).isEmpty();
    assertThat(work(first.orElseThrow()).factor(pool(), taken.zone(), "u")).isEqualTo(1.5);
    assertThat(work(second.orElseThrow()).factor(pool(), taken.zone(), "u")).isEqualTo(1.2);
  }

  @Test
  void whatRunsNowHasKeptWork() {
    var taken = ran(Purpose.PREEMPTED, Duration.ofHours(1));
    var memory = LostWork.ended(Optional.empty(), taken, true, PlanFixtures.NOW).orElseThrow();
    var usage = ran(Purpose.TASKS, Duration.ofHours(2)).usage().orElseThrow();
    var view = PlanFixtures.view(pool()).stockout(memory).worker(POOL, PlanFixtures.busy());

    var work = new LostWork(view.with(w -> w.withUsage(usage)).build());

    assertThat(work.factor(pool(), taken.zone(), "u")).isEqualTo(1.25);
  }
}
