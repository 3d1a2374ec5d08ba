package dev.mayfly.core.plan;

import static dev.mayfly.core.plan.Fixtures.GIB;
import static dev.mayfly.core.plan.Fixtures.NOW;
import static dev.mayfly.core.plan.Fixtures.busy;
import static dev.mayfly.core.plan.Fixtures.pool;
import static dev.mayfly.core.plan.Fixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.Worker;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FairShareTest {
  private static final Resources NEED = Resources.cpu(1, GIB);

  private static Demand job(String name, String owner, int priority, boolean exclusive) {
    return new Demand(
        "uid-" + name,
        name,
        NEED,
        Place.ANYWHERE,
        100,
        0,
        new Demand.Standing(owner, priority, exclusive));
  }

  private static Worker.Held held(String job, long start, int running) {
    var tasks = LongStream.range(start, start + running).boxed().toList();
    return new Worker.Held("uid-" + job, start, 3, NEED, NOW, tasks);
  }

  /** Two workers of two slots, all of which a runs; no more may be launched. */
  private static List<Decision.Yield> yields(Demand a, Demand b) {
    return view(pool("cpu").cpus(2).max(2).build())
        .worker("cpu", busy(), held("a", 0, 2))
        .worker("cpu", busy(), held("a", 500, 2))
        .job(a)
        .job(b)
        .plan()
        .stream()
        .filter(Decision.Yield.class::isInstance)
        .map(Decision.Yield.class::cast)
        .toList();
  }

  @Test
  void somebodyWithLessIsMadeRoomForUntilBothHaveAsMuch() {
    var yields = yields(job("a", "ada", 50, false), job("b", "bob", 50, false));

    assertThat(yields)
        .singleElement()
        .satisfies(y -> {
          assertThat(y.slots()).isEqualTo(2);
          assertThat(y.lease().job()).isEqualTo("uid-a");
          assertThat(y.reason()).isEqualTo("job b belongs to somebody who has less");
        });
  }

  @Test
  void aHigherPriorityIsMadeRoomForByAll() {
    assertThat(yields(job("a", "ada", 50, false), job("b", "ada", 60, false)))
        .extracting(Decision.Yield::lease)
        .containsExactlyInAnyOrder(new LeaseRef("uid-a", 0, 3), new LeaseRef("uid-a", 500, 3));
  }

  @Test
  void allThatAWorkerHoldsGivesWayToAGangUntilItHasAsManyWorkers() {
    var gang = job("b", "ada", 90, false).together(2);
    var yields =
        view(pool("cpu").cpus(4).max(4).build())
            .worker("cpu", busy(), held("a", 0, 2), held("a", 100, 1))
            .worker("cpu", busy(), held("a", 200, 2), held("a", 300, 1))
            .worker("cpu", busy(), held("a", 400, 2), held("b", 500, 1))
            .worker("cpu", busy(), held("a", 600, 2), held("x", 0, 1))
            .job(job("a", "ada", 50, false))
            .job(gang)
            .job(job("x", "ada", 50, true))
            .plan()
            .stream()
            .filter(Decision.Yield.class::isInstance)
            .map(d -> ((Decision.Yield) d).lease().start());

    assertThat(yields).containsExactlyInAnyOrder(0L, 100L, 200L, 300L);
  }

  @Test
  void nobodyGivesWayToALowerPriorityOrToTheirOwnYoungerJob() {
    assertThat(yields(job("a", "ada", 50, false), job("b", "bob", 40, false))).isEmpty();
    assertThat(yields(job("a", "ada", 50, false), job("b", "ada", 50, false))).isEmpty();
  }

  @Test
  void workThatMustNotRunTwiceGivesNothingBack() {
    assertThat(yields(job("a", "ada", 50, true), job("b", "bob", 90, false))).isEmpty();
  }

  @Test
  void nobodyGivesWayWhileAMachineCanBeLaunched() {
    var plan =
        view(pool("cpu").cpus(2).max(200).build())
            .worker("cpu", busy(), held("a", 0, 2))
            .job(job("a", "ada", 50, false))
            .job(job("b", "bob", 50, false))
            .plan();

    assertThat(plan).isNotEmpty().noneMatch(Decision.Yield.class::isInstance);
  }

  @Test
  void whatJobsRunIsCountedWhereOwnersShare() {
    var workers =
        view(pool("cpu").cpus(8).build())
            .worker("cpu", busy(), held("a", 0, 7), held("b", 0, 1))
            .build()
            .workers();

    assertThat(FairShare.counted(List.of(row("a", "ada"), row("c", "ada")), workers))
        .extracting(Turns.Row::running)
        .containsOnly(0L);
    assertThat(FairShare.counted(List.of(row("a", "ada"), row("b", "bob")), workers))
        .extracting(Turns.Row::running)
        .containsExactly(7L, 1L);
  }

  @Test
  void whatWasGrantedCountsBeforeItIsReported() {
    var granted = new Worker.Held("uid-b", 0, 1, NEED, NOW, List.of(), false, 4);
    var workers =
        view(pool("cpu").cpus(8).build())
            .worker("cpu", busy(), granted, granted.withRunning(List.of(7L)))
            .build()
            .workers();

    assertThat(FairShare.shares(List.of(row("b", "bob")), workers)).containsEntry("bob", 5L);
  }

  private static Turns.Row row(String job, String owner) {
    return new Turns.Row(
        "uid-" + job,
        job,
        owner,
        50,
        NOW,
        NEED,
        Place.ANYWHERE,
        false,
        0,
        Optional.empty(),
        0,
        Optional.empty(),
        1);
  }
}
