package dev.mayfly.sim;

import dev.mayfly.sim.check.Violation;
import dev.mayfly.sim.fake.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** Lets worlds happen: a storm, then a quiet time in which everything must come to its end. */
final class Run {
  private static final Duration QUIET = Duration.ofHours(8);

  /** While ticks are paused a machine without a document waits for the hourly look. */
  private static final Duration OTHERS = Duration.ofHours(2);

  private static final Duration REST = Duration.ofMinutes(15);
  private static final Duration LOOK = Duration.ofSeconds(30);

  private Run() {}

  /**
   * What became of a world.
   *
   * @param steps how many steps it took; the step of the violation if there was one
   * @param calls how many port calls the function instances made
   * @param hash of its whole trace
   * @param seen how often each fault and each rare branch was seen
   * @param last the end of its trace
   */
  record Result(
      Scenario scenario,
      Optional<Violation> violation,
      long steps,
      long calls,
      Duration simulated,
      String hash,
      Map<String, Long> seen,
      List<String> last) {
    /** All that somebody needs to see it again. */
    String story() {
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

  static Result of(Scenario scenario, PlantedBug bugs) {
    return of(scenario, bugs, OptionalLong.empty(), Trace.KEPT);
  }

  static Result of(Scenario scenario, PlantedBug bugs, OptionalLong crashAfter, int kept) {
    var world = new World(scenario, plane(scenario.seed()), bugs, crashAfter, kept, true);
    try (var _ = world.overlaps()) {
      return of(scenario, world);
    }
  }

  private static Result of(Scenario scenario, World world) {
    Optional<Violation> violation = Optional.empty();
    try {
      happen(world);
    } catch (Violation found) {
      violation = Optional.of(found);
    } catch (RuntimeException | StackOverflowError bug) {
      violation = Optional.of(new Violation("I0", bug));
    }
    return new Result(
        scenario,
        violation,
        world.time().steps(),
        world.effects().count(),
        Duration.between(World.START, world.time().instant()),
        world.trace().hash(),
        new TreeMap<>(world.trace().seen()),
        world.trace().last());
  }

  /** Every third world has no processor between calls. */
  private static ControlPlane.Maker plane(long seed) {
    return seed % 3 == 0 ? ThrottledPlane::new : CorePlane::new;
  }

  private static void happen(World world) {
    world.begin();
    var calm = World.START.plus(world.scenario().storm());
    world.passTo(calm);
    world.calmDown();
    world.skies().broken().ifPresent(cluster -> othersEnd(world, cluster));
    world.skies().mends(world);
    settle(
        world,
        "",
        world.time().instant().plus(QUIET),
        () -> world.checks().unfinished().isEmpty() && !world.users().awaited());
    var rest = world.time().instant().plus(REST);
    world.passTo(rest);
    world.checks().atRest();
  }

  /** While something of one cluster cannot be read, every other one is served. */
  private static void othersEnd(World world, String broken) {
    settle(
        world,
        broken,
        world.time().instant().plus(OTHERS),
        () -> world.checks().unfinishedBeside(broken).isEmpty());
    world
        .checks()
        .unfinishedBeside(broken)
        .ifPresent(what -> {
          throw new Violation("I14", "cluster " + broken + " cannot be read, and " + what);
        });
  }

  private static void settle(World world, String except, Instant end, BooleanSupplier ended) {
    while (world.time().instant().isBefore(end)) {
      world.passTo(world.time().instant().plus(LOOK));
      world.checks().moving(except);
      if (ended.getAsBoolean()) return;
    }
  }
}
