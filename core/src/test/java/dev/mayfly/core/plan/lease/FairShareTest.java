package dev.mayfly.core.plan.lease;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.cluster;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.cluster.ClusterLimits;
import dev.mayfly.core.model.cluster.FairShareSpec;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FairShareTest {
  private static final Resources NEED = Resources.cpu(1, GIB);

  private static JobDemand job(String name, String owner, int priority, boolean exclusive) {
    return SpecFixtures.demand(
        "uid-" + name, name, NEED, 100, 0, new JobDemand.Standing(owner, priority, exclusive, 0));
  }

  private static Worker.Held held(String job, long start, int running) {
    var tasks = LongStream.range(start, start + running).boxed().toList();
    return new Worker.Held(
        "uid-" + job, start, 3, NEED, NOW, tasks, false, 1, List.of(), List.of());
  }

  private static SyncReport.Lease running(Worker.Held held, Long task) {
    var none = TaskSet.none(held.start());
    return new SyncReport.Lease(
        held.ref(),
        held.start() + 10,
        none,
        List.of(),
        List.of(task),
        task,
        false,
        List.of(),
        List.of());
  }

  /** Two workers of two slots, all used by job a; no more may be launched. */
  private static List<PlanDecision.PreemptLease> yields(JobDemand a, JobDemand b) {
    return yields(FairShareSpec.EQUAL, a, b);
  }

  private static List<PlanDecision.PreemptLease> yields(
      FairShareSpec shares, JobDemand a, JobDemand b) {
    return view(
            cluster(pool("cpu").cpus(2).max(2).build())
                .withLimits(ClusterLimits.NONE.sharing(shares)))
        .worker("cpu", busy(), held("a", 0, 2))
        .worker("cpu", busy(), held("a", 500, 2))
        .job(a)
        .job(b)
        .plan()
        .stream()
        .filter(PlanDecision.PreemptLease.class::isInstance)
        .map(PlanDecision.PreemptLease.class::cast)
        .toList();
  }

  @Test
  void ownerWithLessGetsEqualShare() {
    var preemptLeases = yields(job("a", "ada", 50, false), job("b", "bob", 50, false));

    assertThat(preemptLeases)
        .singleElement()
        .satisfies(y -> {
          assertThat(y.slots()).isEqualTo(2);
          assertThat(y.lease().job()).isEqualTo("uid-a");
          assertThat(y.reason())
              .isEqualTo("job b belongs to an owner who runs less for their shares");
        });
  }

  @Test
  void sharesDecideHowMuchGoesBack() {
    var ada = job("a", "ada", 50, false);
    var bob = job("b", "bob", 50, false);

    assertThat(yields(new FairShareSpec(Map.of("ada", 9.0), Optional.empty()), ada, bob))
        .as("even one share is more than nothing")
        .hasSize(1);
    assertThat(yields(new FairShareSpec(Map.of("bob", 9.0), Optional.empty()), ada, bob))
        .hasSize(2);
  }

  @Test
  void allOwnersMakeRoomForHigherPriority() {
    assertThat(yields(job("a", "ada", 50, false), job("b", "ada", 60, false)))
        .extracting(PlanDecision.PreemptLease::lease)
        .containsExactlyInAnyOrder(new LeaseRef("uid-a", 0, 3), new LeaseRef("uid-a", 500, 3));
  }

  @Test
  void wholeWorkersGiveWayToGang() {
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
            .filter(PlanDecision.PreemptLease.class::isInstance)
            .map(d -> ((PlanDecision.PreemptLease) d).lease().start());

    assertThat(yields).containsExactlyInAnyOrder(0L, 100L, 200L, 300L);
  }

  @Test
  void lowerPriorityAndOwnYoungerJobsPreemptNothing() {
    assertThat(yields(job("a", "ada", 50, false), job("b", "bob", 40, false))).isEmpty();
    assertThat(yields(job("a", "ada", 50, false), job("b", "ada", 50, false))).isEmpty();
  }

  @Test
  void exclusiveWorkIsNotPreempted() {
    assertThat(yields(job("a", "ada", 50, true), job("b", "bob", 90, false))).isEmpty();
  }

  @Test
  void noPreemptionWhileMachinesCanBeLaunched() {
    var plan =
        view(pool("cpu").cpus(2).max(200).build())
            .worker("cpu", busy(), held("a", 0, 2))
            .job(job("a", "ada", 50, false))
            .job(job("b", "bob", 50, false))
            .plan();

    assertThat(plan).isNotEmpty().noneMatch(PlanDecision.PreemptLease.class::isInstance);
  }

  @Test
  void runningTasksAreCountedWhereOwnersShare() {
    var workers =
        view(pool("cpu").cpus(8).build())
            .worker("cpu", busy(), held("a", 0, 7), held("b", 0, 1))
            .build()
            .workers();

    assertThat(FairShare.withCounts(List.of(row("a", "ada"), row("c", "ada")), workers))
        .extracting(JobQueue.Row::running)
        .containsOnly(0L);
    assertThat(FairShare.withCounts(List.of(row("a", "ada"), row("b", "bob")), workers))
        .extracting(JobQueue.Row::running)
        .containsExactly(7L, 1L);
  }

  @Test
  void grantsCountBeforeReports() {
    var granted =
        new Worker.Held("uid-b", 0, 1, NEED, NOW, List.of(), false, 4, List.of(), List.of());
    var workers =
        view(pool("cpu").cpus(8).build())
            .worker("cpu", busy(), granted, granted.with(running(granted, 7L)))
            .build()
            .workers();

    assertThat(FairShare.runningByOwner(List.of(row("b", "bob")), workers))
        .containsEntry("bob", 5L);
  }

  private static JobQueue.Row row(String job, String owner) {
    return new JobQueue.Row(
        "uid-" + job,
        job,
        owner,
        50,
        NOW,
        NEED,
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
}
