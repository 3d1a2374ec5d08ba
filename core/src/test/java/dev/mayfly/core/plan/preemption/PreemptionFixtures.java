package dev.mayfly.core.plan.preemption;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.ago;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.KeptTask;
import dev.mayfly.core.model.Outranked;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.PreemptionRule;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.plan.PlanFixtures;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.capacity.OutrankedTasks;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.model.PlanDecision.EndTasks;
import dev.mayfly.core.plan.model.TaskTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** A pool of at most so many machines of two processors, all of them in use. */
final class PreemptionFixtures {
  private PreemptionFixtures() {}

  static final Resources ONE = Resources.cpu(1, GIB);
  static final JobDemand LOW = job("low", 10, 0);
  static final JobDemand HIGH = job("high", 90, 1);

  static PoolSpec ending(int max) {
    return pool("cpu").cpus(2).max(max).build().withPreemption(PreemptionRule.RUNNING);
  }

  static JobDemand job(String name, int priority, long ready) {
    return job(name, priority, ready, ONE);
  }

  static JobDemand job(String name, int priority, long ready, Resources need) {
    return SpecFixtures.demand(
        "uid-" + name, name, need, ready, 0, new JobDemand.Standing("ann", priority, false, 0));
  }

  static JobDemand longest(JobDemand job, Duration timeout) {
    return job.waiting(
        new JobDemand.Waiting(
            NOW, List.of(), Optional.of(timeout), Optional.empty(), TaskTime.NEVER));
  }

  static JobDemand exclusive(JobDemand job) {
    return SpecFixtures.demand(
        job.job(),
        job.name(),
        job.need(),
        job.ready(),
        0,
        new JobDemand.Standing("ann", job.standing().priority(), true, 0));
  }

  /** A lease whose tasks began so long ago. */
  static Worker.Held lease(String job, long start, Duration... ran) {
    return lease(job, start, ONE, false, ran);
  }

  static Worker.Held lease(String job, long start, Resources need, boolean gang, Duration... ran) {
    var tasks = IntStream.range(0, ran.length).mapToObj(i -> start + i).toList();
    var began = List.of(ran).stream().map(PlanFixtures::ago).toList();
    return new Worker.Held(
        "uid-" + job,
        start,
        3,
        need,
        ago(ofHours(5)),
        tasks,
        gang,
        Math.max(1, ran.length),
        began,
        List.of());
  }

  static Worker.Held lostBefore(Worker.Held held, Duration lost) {
    return new Worker.Held(
        held.job(),
        held.start(),
        held.epoch(),
        held.need(),
        held.since(),
        held.running(),
        held.gang(),
        held.slots(),
        held.startedAt(),
        held.stalled(),
        held.partOf(),
        held.kept(),
        held.outranked(),
        Optional.of(lost));
  }

  static Worker.Held kept(Worker.Held held, long task, Duration since) {
    return new Worker.Held(
        held.job(),
        held.start(),
        held.epoch(),
        held.need(),
        held.since(),
        held.running(),
        held.gang(),
        held.slots(),
        held.startedAt(),
        held.stalled(),
        Optional.empty(),
        Optional.of(List.of(new KeptTask(task, ago(since)))),
        Optional.empty(),
        held.lostBefore());
  }

  static List<EndTasks> ends(PlanFixtures.Of view) {
    return ends(view.build());
  }

  static List<EndTasks> ends(ClusterSnapshot snapshot) {
    return Planner.plan(snapshot).stream()
        .filter(EndTasks.class::isInstance)
        .map(EndTasks.class::cast)
        .toList();
  }

  static List<String> victims(PlanFixtures.Of view) {
    return ends(view).stream()
        .flatMap(end ->
            end.victims().stream()
                .map(it -> end.worker() + " " + end.lease().job() + " " + it.index()))
        .toList();
  }

  static PlanFixtures.Of twoOfOne() {
    return view(ending(1)).worker("cpu", busy(), lease("low", 0, ofMinutes(20), ofMinutes(9)));
  }

  /** What ends for the job on a machine that is kept for this one. */
  static List<PlanDecision> endedBeside(String keeper) {
    var snapshot = twoOfOne().job(HIGH).job(LOW).build();
    return new RunningPreemptionPlanner(snapshot, List.of(), Map.of("cpu-0", job(keeper, 95, 1)))
            .end(List.of(new RunningPreemptionPlanner.Lack(HIGH, 1)), Map.of(), Map.of())
            .decisions()
            .stream()
            .filter(EndTasks.class::isInstance)
            .toList();
  }

  static Cordon cordon() {
    return new Cordon(ago(ofMinutes(1)), NOW.plusSeconds(600), "ann");
  }

  /** The snapshot once its plan is carried out. */
  static ClusterSnapshot asked(ClusterSnapshot snapshot) {
    var workers = new ArrayList<Worker>();
    for (var worker : snapshot.workers()) {
      var next = worker;
      for (var end : ends(snapshot))
        if (end.worker().equals(worker.name()))
          next =
              next.withLeases(
                  next.held().stream()
                      .map(held -> held.ref().equals(end.lease()) ? asked(held, end) : held)
                      .toList(),
                  NOW);
      workers.add(next);
    }
    return new ClusterSnapshot(
        snapshot.now(), snapshot.cluster(), workers, snapshot.jobs(), snapshot.stockouts());
  }

  static Worker.Held asked(Worker.Held held, EndTasks end) {
    var taker = end.taker();
    Instant until = NOW.plusSeconds(60);
    return OutrankedTasks.ending(
        held,
        end.victims().stream()
            .map(it ->
                new Outranked(
                    it.index(), taker.job(), taker.address(), taker.priority(), NOW, until))
            .toList());
  }
}
