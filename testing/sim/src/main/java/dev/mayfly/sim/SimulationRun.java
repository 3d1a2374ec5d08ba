package dev.mayfly.sim;

import dev.mayfly.core.model.document.Shard;
import dev.mayfly.sim.control.ControlPlaneEntry;
import dev.mayfly.sim.control.CoreControlPlane;
import dev.mayfly.sim.control.ThrottledControlPlane;
import dev.mayfly.sim.engine.Trace;
import dev.mayfly.sim.observation.InvariantViolation;
import dev.mayfly.sim.scenario.Scenario;
import dev.mayfly.sim.world.Mutant;
import dev.mayfly.sim.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** Runs a world: a storm, then a quiet time in which everything must end. */
public final class SimulationRun {
  private static final Duration QUIET = Duration.ofHours(8);

  /** While ticks are paused, only the hourly cleanup finds a machine without a document. */
  private static final Duration OTHERS = Duration.ofHours(2);

  private static final Duration REST = Duration.ofMinutes(15);

  /** Cleanup runs each hour, paused ticks or not. */
  private static final Duration CLEANUP = Duration.ofHours(1);

  private static final Duration LOOK = Duration.ofSeconds(30);

  private SimulationRun() {}

  /**
   * The result of a world.
   *
   * @param steps number of steps; the step of the violation, if any
   * @param calls how many port calls the function instances made
   * @param hash of its whole trace
   * @param seen how often each fault and each coverage point was seen
   * @param last the end of its trace
   */
  public record Result(
      Scenario scenario,
      Optional<InvariantViolation> violation,
      long steps,
      long calls,
      Duration simulated,
      String hash,
      Map<String, Long> seen,
      List<String> last) {
    /** Everything needed to reproduce it. */
    public String story() {
      return "seed %d, step %d, %s, faults %s%n%s%n%s"
          .formatted(
              scenario.seed(),
              steps,
              simulated,
              scenario.faults(),
              String.join(System.lineSeparator(), last),
              violation.map(Throwable::getMessage).orElse("no violation"));
    }
  }

  public static Result of(Scenario scenario, Mutant bugs) {
    return of(scenario, bugs, OptionalLong.empty(), Trace.KEPT);
  }

  public static Result of(Scenario scenario, Mutant bugs, OptionalLong crashAfter, int kept) {
    var world = new World(scenario, plane(scenario.seed()), bugs, crashAfter, kept, true);
    try (var _ = world.overlaps()) {
      return of(scenario, world);
    }
  }

  private static Result of(Scenario scenario, World world) {
    Optional<InvariantViolation> invariantViolation = Optional.empty();
    try {
      happen(world);
    } catch (InvariantViolation found) {
      invariantViolation = Optional.of(found);
    } catch (RuntimeException | StackOverflowError bug) {
      invariantViolation = Optional.of(new InvariantViolation("I0", bug));
    }
    return new Result(
        scenario,
        invariantViolation,
        world.time().steps(),
        world.effects().count(),
        Duration.between(World.START, world.time().instant()),
        world.trace().hash(),
        new TreeMap<>(world.trace().seen()),
        world.trace().last());
  }

  /** Every third world has no CPU between calls. */
  private static ControlPlaneEntry.Maker plane(long seed) {
    return seed % 3 == 0 ? ThrottledControlPlane::new : CoreControlPlane::new;
  }

  private static void happen(World world) {
    world.begin();
    var calm = World.START.plus(world.scenario().storm());
    world.advanceTo(calm);
    world.endFaults();
    world.skies().broken().ifPresent(cluster -> othersEnd(world, cluster));
    // What an event owes is found by the next hourly cleanup, if ticks are paused by then.
    var rest = world.skies().isEventBroken() ? REST.plus(CLEANUP) : REST;
    world.skies().mend(world);
    long ended;
    do {
      finish(world);
      ended = endedTasks(world);
      world.advanceTo(world.time().instant().plus(rest));
      // A message that came late, such as a retry, begins more work, which has a rest of its own.
    } while (endedTasks(world) > ended);
    world.checks().atRest();
  }

  /** A world with much work for one machine is slow, and not stuck, as long as tasks end. */
  private static void finish(World world) {
    long before;
    do {
      before = endedTasks(world);
      settle(world, "", world.time().instant().plus(QUIET), () -> isFinished(world));
    } while (!isFinished(world) && endedTasks(world) > before);
  }

  private static boolean isFinished(World world) {
    return world.checks().unfinished().isEmpty() && !world.users().awaited();
  }

  private static long endedTasks(World world) {
    return world.truth().all(Shard.class).stream()
        .mapToLong(shard -> shard.done().count() + shard.failed().count())
        .sum();
  }

  /** While a document of one cluster is unreadable, every other cluster must finish. */
  private static void othersEnd(World world, String broken) {
    settle(
        world,
        broken,
        world.time().instant().plus(OTHERS),
        () -> world.checks().unfinishedExcept(broken).isEmpty());
    world
        .checks()
        .unfinishedExcept(broken)
        .ifPresent(what -> {
          throw new InvariantViolation("I14", "cluster " + broken + " cannot be read, and " + what);
        });
  }

  private static void settle(World world, String except, Instant end, BooleanSupplier ended) {
    while (world.time().instant().isBefore(end)) {
      world.advanceTo(world.time().instant().plus(LOOK));
      world.checks().checkProgress(except);
      if (ended.getAsBoolean()) return;
    }
  }
}
