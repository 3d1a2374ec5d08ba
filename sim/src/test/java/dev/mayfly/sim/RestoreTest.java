package dev.mayfly.sim;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.port.Machine;
import dev.mayfly.core.port.Url;
import dev.mayfly.sim.fake.Dice;
import dev.mayfly.sim.fake.SimMachine;
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
 * Decision 44: the ledger is set back by an hour. Machines that it has forgotten are not adopted;
 * all jobs end as they should all the same, and nothing is left switched on.
 */
class RestoreTest {
  /** Within this every agent that can be reached has spoken to a control plane that came back. */
  private static final Duration HEARD = ofMinutes(1);

  /** How long a machine without a worker may run once the control plane is back. */
  private static final Duration GRACE = ofMinutes(15);

  private static final int BEFORE = 0;
  private static final int EXCLUSIVE = 1;
  private static final int GANG = 2;
  private static final int FORGOTTEN = 3;
  private static final int AFTERWARDS = 4;
  private static final List<Integer> TASKS = List.of(120, 20, 6, 30, 10);

  /** Within this new jobs are done that need a machine and a minute. */
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
    var dice = new Dice(seed).of("restore");
    var copied = dice.seconds(240, 2_400);
    var stage = stage(seed, copied);
    var world = stage.world;
    if (dice.chance(0.5)) world.gateway().log().on();

    stage.pass(copied);
    var backup = world.ledger().backup();
    // Some after all was over, and the ticks are paused.
    var until = stage.now().plus(seed % 3 == 0 ? ofHours(9) : ofHours(1));
    while (stage.now().isBefore(until)) {
      stage.pass(dice.seconds(60, 600));
      takeOne(world, dice);
    }
    world.gateway().goAway();
    world.ledger().restore(backup);
    back = stage.now().plus(dice.chance(0.5) ? dice.seconds(2, 60) : dice.seconds(60, 2_400));
    world.truth().restored(back.plus(HEARD));
    world.checks().restored();
    stage.pass(Duration.between(stage.now(), back));
    world.gateway().comeBack();

    // Whoever submitted the job that was forgotten does so again, and others submit new ones.
    stage.pass(dice.seconds(1, 60));
    submit(world, FORGOTTEN);
    submit(world, AFTERWARDS);
    stage.until(() -> ended(stage, AFTERWARDS), SERVED);
    watch(stage, dice);

    assertAllIsDone(stage);
  }

  private static Stage stage(long seed, Duration copied) {
    var jobs =
        List.of(
            Stage.on(
                "small",
                0,
                Stage.job(BEFORE, TASKS.get(BEFORE), 1, ofMinutes(6 + seed % 9), false)),
            Stage.on("small", 0, Stage.job(EXCLUSIVE, TASKS.get(EXCLUSIVE), 2, ofMinutes(9), true)),
            Stage.on("small", 2, Stage.job(GANG, TASKS.get(GANG), 4, ofMinutes(8), false)),
            at(
                copied.plusSeconds(30),
                Stage.on(
                    "small",
                    0,
                    Stage.job(FORGOTTEN, TASKS.get(FORGOTTEN), 1, ofMinutes(5), false))),
            at(
                Duration.ofDays(9),
                Stage.on(
                    "new",
                    0,
                    Stage.job(AFTERWARDS, TASKS.get(AFTERWARDS), 1, ofMinutes(1), false))));
    ControlPlane.Maker maker = seed % 2 == 0 ? CorePlane::new : ThrottledPlane::new;
    var pools = List.of(Stage.small(0, 6), Stage.called("new", Stage.small(0, 2)));
    return Stage.of(maker, seed, pools, jobs.toArray(PlannedJob[]::new));
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
        job.shortest(),
        job.longest());
  }

  private static void takeOne(World world, Dice dice) {
    var on = world.powered();
    if (on.isEmpty()) return;
    var machine = dice.pick(on).machine();
    world.fleet().preempt(machine, dice.chance(0.5), dice.seconds(0, 20), dice.chance(0.2));
  }

  private static void submit(World world, int number) {
    var job = world.scenario().jobs().get(number);
    world.users().submit(job.spec(), job.submission());
  }

  private static boolean ended(Stage stage, int number) {
    return stage.world.truth().all(Job.class).stream()
        .anyMatch(j -> j.spec().name().equals("job-" + number) && j.state().ended());
  }

  /** Until all is over; one more machine is taken meanwhile. */
  private void watch(Stage stage, Dice dice) {
    var world = stage.world;
    var taken = stage.now().plus(dice.seconds(60, 900));
    var end = stage.now().plus(ofHours(4));
    var took = false;
    while (stage.now().isBefore(end)) {
      stage.pass(ofSeconds(20));
      checkOwners(world);
      if (!took && stage.now().isAfter(taken)) {
        took = true;
        takeOne(world, dice);
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
            machine.labels().getOrDefault(Machine.CLUSTER, ""),
            machine.labels().getOrDefault(Machine.WORKER, ""));
  }

  private static void assertAllIsDone(Stage stage) {
    var truth = stage.world.truth();
    var jobs = truth.all(Job.class);
    assertThat(jobs).hasSize(TASKS.size());
    for (var job : jobs) {
      assertThat(job.state())
          .as(job.spec().name())
          .isInstanceOfSatisfying(
              JobState.Ended.class,
              e -> assertThat(e.result()).isEqualTo(JobState.Result.SUCCEEDED));
      for (var i = 0L; i < job.tasks(); i++)
        assertThat(truth.sealed(job, i)).as(job.spec().name() + " task " + i).isTrue();
    }
    var sentinels =
        stage.world.objects().list(Url.of("gs://lab-bucket/out-"), "", 10_000).objects().stream()
            .filter(o -> o.url().toString().endsWith(Sentinel.SUFFIX))
            .toList();
    var tasks = jobs.stream().mapToLong(Job::tasks).sum();
    assertThat(sentinels).hasSize((int) tasks);
  }
}
