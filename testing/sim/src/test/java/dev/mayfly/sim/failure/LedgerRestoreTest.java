package dev.mayfly.sim.failure;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.sim.control.ControlPlaneEntry;
import dev.mayfly.sim.control.CoreControlPlane;
import dev.mayfly.sim.control.ThrottledControlPlane;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.fake.SimMachine;
import dev.mayfly.sim.fixture.ScriptedWorld;
import dev.mayfly.sim.scenario.PlannedJob;
import dev.mayfly.sim.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Decision 44: the ledger is restored as of an hour ago. Machines launched since are not adopted;
 * all jobs still end correctly, and no machine is left running.
 */
class LedgerRestoreTest {
  /** The time within which every reachable agent has synced after the restore. */
  private static final Duration HEARD = ofMinutes(1);

  /** How long a machine without a worker may run after the restore. */
  private static final Duration GRACE = ofMinutes(15);

  private static final int BEFORE = 0;
  private static final int EXCLUSIVE = 1;
  private static final int GANG = 2;
  private static final int FORGOTTEN = 3;
  private static final int AFTERWARDS = 4;
  private static final List<Integer> TASKS = List.of(120, 20, 6, 30, 10);

  /** The time within which new jobs that need a machine and a minute are done. */
  private static final Duration SERVED = ofMinutes(15);

  private final Map<String, Instant> unowned = new TreeMap<>();
  private Instant back = Instant.MAX;

  /** With {@code -Plong} three times as many. */
  static LongStream seeds() {
    return LongStream.rangeClosed(1, Integer.getInteger("mayfly.sim.seeds", 0) > 1_000 ? 24 : 8);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everythingEndsAfterRestore(long seed) {
    var simRandom = new SimRandom(seed).of("restore");
    var copied = simRandom.seconds(240, 2_400);
    var scriptedWorld = stage(seed, copied);
    var world = scriptedWorld.world;
    if (simRandom.chance(0.5)) world.gateway().log().on();

    scriptedWorld.advance(copied);
    var backup = world.ledger().backup();
    // Some after everything has ended and the ticks are paused.
    var until = scriptedWorld.now().plus(seed % 3 == 0 ? ofHours(9) : ofHours(1));
    while (scriptedWorld.now().isBefore(until)) {
      scriptedWorld.advance(simRandom.seconds(60, 600));
      takeOne(world, simRandom);
    }
    world.gateway().stopAll();
    world.ledger().restore(backup);
    back =
        scriptedWorld
            .now()
            .plus(simRandom.chance(0.5) ? simRandom.seconds(2, 60) : simRandom.seconds(60, 2_400));
    world.truth().restored(back.plus(HEARD));
    world.checks().restored();
    scriptedWorld.advance(Duration.between(scriptedWorld.now(), back));
    world.gateway().startAll();

    // The erased job is submitted again, and so are new ones.
    scriptedWorld.advance(simRandom.seconds(1, 60));
    submit(world, FORGOTTEN);
    submit(world, AFTERWARDS);
    scriptedWorld.until(() -> ended(scriptedWorld, AFTERWARDS), SERVED);
    watch(scriptedWorld, simRandom);

    assertAllIsDone(scriptedWorld);
  }

  private static ScriptedWorld stage(long seed, Duration copied) {
    var jobs =
        List.of(
            ScriptedWorld.on(
                "small",
                0,
                ScriptedWorld.job(BEFORE, TASKS.get(BEFORE), 1, ofMinutes(6 + seed % 9), false)),
            ScriptedWorld.on(
                "small",
                0,
                ScriptedWorld.job(EXCLUSIVE, TASKS.get(EXCLUSIVE), 2, ofMinutes(9), true)),
            ScriptedWorld.on(
                "small", 2, ScriptedWorld.job(GANG, TASKS.get(GANG), 4, ofMinutes(8), false)),
            at(
                copied.plusSeconds(30),
                ScriptedWorld.on(
                    "small",
                    0,
                    ScriptedWorld.job(FORGOTTEN, TASKS.get(FORGOTTEN), 1, ofMinutes(5), false))),
            at(
                Duration.ofDays(9),
                ScriptedWorld.on(
                    "new",
                    0,
                    ScriptedWorld.job(AFTERWARDS, TASKS.get(AFTERWARDS), 1, ofMinutes(1), false))));
    ControlPlaneEntry.Maker maker =
        seed % 2 == 0 ? CoreControlPlane::new : ThrottledControlPlane::new;
    var pools =
        List.of(ScriptedWorld.small(0, 6), ScriptedWorld.called("new", ScriptedWorld.small(0, 2)));
    return ScriptedWorld.of(maker, seed, pools, jobs.toArray(PlannedJob[]::new));
  }

  private static PlannedJob at(Duration at, PlannedJob job) {
    return new PlannedJob(
        job.number(),
        job.spec(),
        at,
        job.stopAt(),
        job.again(),
        job.inputs(),
        job.sealed(),
        job.tasks());
  }

  private static void takeOne(World world, SimRandom simRandom) {
    var on = world.powered();
    if (on.isEmpty()) return;
    var machine = simRandom.pick(on).machine();
    world
        .fleet()
        .preempt(machine, simRandom.chance(0.5), simRandom.seconds(0, 20), simRandom.chance(0.2));
  }

  private static void submit(World world, int number) {
    var job = world.scenario().jobs().get(number);
    world.users().submit(job.spec(), job.submission());
  }

  private static boolean ended(ScriptedWorld scriptedWorld, int number) {
    return scriptedWorld.world.truth().all(Job.class).stream()
        .anyMatch(j -> j.spec().name().equals("job-" + number) && j.state().ended());
  }

  /** Runs until everything has ended, with one more preemption on the way. */
  private void watch(ScriptedWorld scriptedWorld, SimRandom simRandom) {
    var world = scriptedWorld.world;
    var taken = scriptedWorld.now().plus(simRandom.seconds(60, 900));
    var end = scriptedWorld.now().plus(ofHours(4));
    var took = false;
    while (scriptedWorld.now().isBefore(end)) {
      scriptedWorld.advance(ofSeconds(20));
      checkOwners(world);
      if (!took && scriptedWorld.now().isAfter(taken)) {
        took = true;
        takeOne(world, simRandom);
      }
      if (world.checks().unfinished().isEmpty() && took) break;
    }
    world.checks().atRest();
  }

  private void checkOwners(World world) {
    var now = world.time().instant();
    for (var machine : world.fleet().machines()) {
      if (owner(world, machine).filter(w -> w.state().live()).isPresent()) {
        unowned.remove(machine.id());
        continue;
      }
      var since = unowned.computeIfAbsent(machine.id(), _ -> now);
      assertThat(Duration.between(since, now)).as(machine + " has no worker").isLessThan(GRACE);
    }
  }

  private static Optional<Worker> owner(World world, SimMachine machine) {
    return world
        .truth()
        .worker(
            machine.labels().getOrDefault(CloudMachine.CLUSTER, ""),
            machine.labels().getOrDefault(CloudMachine.WORKER, ""));
  }

  private static void assertAllIsDone(ScriptedWorld scriptedWorld) {
    var groundTruth = scriptedWorld.world.truth();
    var jobs = groundTruth.all(Job.class);
    assertThat(jobs).hasSize(TASKS.size());
    for (var job : jobs) {
      assertThat(job.state())
          .as(job.spec().name())
          .isInstanceOfSatisfying(
              JobState.Ended.class,
              e -> assertThat(e.result()).isEqualTo(JobState.Result.SUCCEEDED));
      for (var i = 0L; i < job.tasks().count(); i++)
        assertThat(groundTruth.sealed(job, i)).as(job.spec().name() + " task " + i).isTrue();
    }
    var sentinels =
        scriptedWorld
            .world
            .objects()
            .list(ObjectUrl.of("gs://lab-bucket/out-"), "", 10_000)
            .objects()
            .stream()
            .filter(o -> o.url().toString().endsWith(Sentinel.SUFFIX))
            .toList();
    var tasks = jobs.stream().mapToLong(j -> j.tasks().count()).sum();
    assertThat(sentinels).hasSize((int) tasks);
  }
}
