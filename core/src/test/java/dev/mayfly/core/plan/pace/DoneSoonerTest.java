package dev.mayfly.core.plan.pace;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.ZONE;
import static dev.mayfly.core.plan.PlanFixtures.ago;
import static dev.mayfly.core.plan.PlanFixtures.launch;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.PlanFixtures;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.model.TaskTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A machine that would come too late is not ordered. */
class DoneSoonerTest {
  private static final Resources NEED = Resources.cpu(1, GIB);
  private static final PoolSpec POOL = pool("cpu").cpus(4).build();

  /** Machines of the pool took so long. */
  private static final Duration BOOT = Duration.ofSeconds(96);

  private static JobDemand job(String name, long ready, double seconds) {
    return job(name, "", 50, ready, seconds);
  }

  private static JobDemand job(
      String name, String owner, int priority, long ready, double seconds) {
    var each = Optional.of(Duration.ofMillis((long) (seconds * 1e3)));
    return plain(name, owner, priority, ready).taking(TaskTime.of(each));
  }

  private static JobDemand plain(String name, String owner, int priority, long ready) {
    var standing = new JobDemand.Standing(owner, priority, false, 0);
    return SpecFixtures.demand("uid-" + name, name, NEED, ready, 4, standing);
  }

  /** Four tasks of the job that run on one machine. */
  private static Worker.Held held(String job) {
    var tasks = LongStream.range(0, 4).boxed().toList();
    return SpecFixtures.held("uid-" + job, 0, NEED, tasks);
  }

  /** Ready for an hour, after the usual boot. */
  private static PlanFixtures.Of busy(PlanFixtures.Of view, String job) {
    return busy(view, POOL, job);
  }

  private static PlanFixtures.Of busy(PlanFixtures.Of view, PoolSpec pool, String job) {
    var born = ago(Duration.ofHours(1).plus(BOOT));
    return view.worker(pool, ZONE, PlanFixtures.busy(), born, held(job));
  }

  private static PlanFixtures.Of one(String job) {
    return busy(view(POOL), job);
  }

  private static List<PlanDecision> orders(PlanFixtures.Of view) {
    return view.plan().stream().filter(PlanDecision.Launch.class::isInstance).toList();
  }

  @ParameterizedTest
  @CsvSource({
    // tasks that wait, seconds of each, machines that are ordered
    "40, 2, 0", // 2 s until the first place is free, 20 s, and 2 s for the last one
    "40, 7, 0",
    "40, 8, 9", // 8 s, 80 s and 8 s: another is as soon
    "180, 2, 0",
    "184, 2, 9",
    "1, 40, 0",
    "1, 60, 1"
  })
  void machineThatComesTooLateIsNotOrdered(long waiting, double each, int ordered) {
    var view = one("sweep").job(job("sweep", waiting, each));

    assertThat(orders(view).stream().mapToInt(order -> ((PlanDecision.Launch) order).count()).sum())
        .isEqualTo(ordered);
  }

  @Test
  void whatIsUnknownHoldsNothingBack() {
    var unread = plain("sweep", "", 50, 40).taking(TaskTime.UNREAD);

    assertThat(orders(one("sweep").job(unread))).hasSize(1);
    assertThat(orders(one("sweep").job(plain("sweep", "", 50, 40)))).hasSize(1);
  }

  @Test
  void poolWhoseBootIsUnknownIsAsked() {
    // The only machine that is ready is of another pool.
    var other = pool("other").cpus(4).max(1).build();
    var view = busy(view(other, POOL), other, "sweep").job(job("sweep", 8, 1));

    assertThat(orders(view))
        .containsExactly(launch("cpu", ZONE, 2, "8 tasks of job sweep have no room"));
  }

  @Test
  void laterPoolIsNotAskedInstead() {
    var other = pool("other").cpus(4).build();
    var view = busy(view(POOL, other), "sweep").job(job("sweep", 8, 1));

    assertThat(view.plan()).isEmpty();
  }

  @Test
  void reasonSaysWhenItIsDone() {
    var view = busy(one("sweep"), "sweep").job(job("sweep", 80, 2));

    assertThat(view.reasons("sweep"))
        .containsExactly(
            "no machine is ordered: the 80 tasks that wait are done by the 2 machines there in about 24s, before another could be ready (usually 96s)");
  }

  @Test
  void machineOnItsWayHelps() {
    // 2 s, 105 s and 2 s: too late for one machine alone, and soon enough for two.
    var work = job("sweep", 210, 2);
    assertThat(orders(one("sweep").job(work))).isNotEmpty();

    var soon =
        one("sweep").worker(POOL, ZONE, PlanFixtures.launching(), NOW.minusSeconds(76)).job(work);
    assertThat(orders(soon)).isEmpty();

    // Of one that takes longer than usual nobody knows when it is ready.
    var late =
        one("sweep").worker(POOL, ZONE, PlanFixtures.launching(), NOW.minusSeconds(97)).job(work);
    assertThat(orders(late)).isNotEmpty();
  }

  @Test
  void placesOfOtherJobsDoNotCount() {
    var view = one("other").job(job("sweep", 4, 1));

    assertThat(orders(view)).hasSize(1);
  }

  @Test
  void machineThatLeavesDoesNotCount() {
    var cordon = new Cordon(NOW, NOW.plusSeconds(600), "a look");
    var cordoned = one("sweep").with(w -> w.withCordon(Optional.of(cordon)));
    var noticed = one("sweep").with(w -> w.withNotice(NOW));

    assertThat(orders(cordoned.job(job("sweep", 8, 1)))).hasSize(1);
    assertThat(orders(noticed.job(job("sweep", 8, 1)))).hasSize(1);
  }

  @Test
  void deadlineIsNotHeldBack() {
    var urgent = job("sweep", 8, 1);
    var near =
        new JobDemand(
            urgent.job(),
            urgent.name(),
            urgent.need(),
            urgent.place(),
            urgent.ready(),
            urgent.leased(),
            urgent.standing(),
            new JobDemand.Urgency(0, 0, Optional.of(NOW.plusSeconds(600))),
            1,
            urgent.waiting());

    assertThat(orders(one("sweep").job(near))).hasSize(1);
  }

  @Test
  void minimumAndSpareAreNotHeldBack() {
    var warm = pool("cpu").cpus(4).min(2).build();
    var view = busy(view(warm), warm, "sweep").job(job("sweep", 8, 1));

    assertThat(orders(view)).containsExactly(launch("cpu", ZONE, 1, "workers.min is 2"));
  }

  @Test
  void olderJobsAreDoneBefore() {
    // Alone the younger job is done in 4 s, and behind the older one in 104 s.
    var younger = job("younger", 8, 1);
    var both = busy(one("older"), "younger");
    assertThat(orders(both.job(job("older", 8, 1)).job(younger))).isEmpty();

    var behind = busy(one("older"), "younger").job(job("older", 800, 1)).job(younger);
    assertThat(behind.reasons("younger")).doesNotContain("no machine is ordered");
    assertThat(orders(behind)).isNotEmpty();
  }

  @Test
  void youngerJobsOfItsOwnerComeAfter() {
    var view = one("older").job(job("older", 8, 1)).job(plain("younger", "", 50, 0).withReady(400));

    assertThat(view.reasons("older").getFirst()).startsWith("no machine is ordered: the 8 tasks");
  }

  @ParameterizedTest
  @CsvSource({
    // owner and priority of a job behind it in the queue, whether the first one gets machines
    "bob, 50, true", // shares, and nobody knows what its tasks take
    "ada, 50, false",
    "bob, 40, false"
  })
  void whoSharesMakesItUnknown(String owner, int priority, boolean orders) {
    var view =
        one("sweep").job(job("sweep", "ada", 50, 8, 1)).job(plain("other", owner, priority, 400));

    assertThat(view.vetoes("sweep").isEmpty()).isEqualTo(orders);
  }

  @Test
  void largerTasksBeforeMakeItUnknown() {
    var large =
        SpecFixtures.demand("uid-large", "large", Resources.cpu(4, GIB), 1, 0)
            .taking(TaskTime.of(Optional.of(Duration.ofSeconds(1))));
    var view = one("sweep").job(large).job(job("sweep", 8, 1));

    assertThat(view.vetoes("sweep")).isEmpty();
    assertThat(orders(view)).isNotEmpty();
  }

  @Test
  void orderOfMachinesChangesNothing() {
    var quick = booted(ago(Duration.ofMinutes(50)), 30);
    var slow = booted(ago(Duration.ofMinutes(40)), 200);

    var some = view(POOL).job(job("sweep", 300, 2));
    var others = view(POOL).job(job("sweep", 300, 2));
    for (var it : List.of(quick, slow)) some.worker(POOL, ZONE, it.state, it.born, held("sweep"));
    for (var it : List.of(slow, quick)) others.worker(POOL, ZONE, it.state, it.born, held("sweep"));

    assertThat(some.reasons("sweep")).isEqualTo(others.reasons("sweep"));
  }

  private record Booted(WorkerState state, Instant born) {}

  private static Booted booted(Instant ready, int boot) {
    return new Booted(new WorkerState.Ready(ready, Optional.empty()), ready.minusSeconds(boot));
  }
}
