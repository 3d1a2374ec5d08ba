package dev.mayfly.sim.remedy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.plan.veto.LimitVeto;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.Remedies;
import dev.mayfly.core.plan.veto.Remedy;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.sim.control.CoreControlPlane;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.engine.Trace;
import dev.mayfly.sim.world.Mutant;
import dev.mayfly.sim.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whoever does what the first reason of a waiting job says, has it start, or is told what holds it
 * next: over worlds in which jobs ask for more than there is. {@code -Dtest.jvm=-Dremedies=5000}
 * tries more of them.
 */
class RemediesHelpTest {
  private static final long SEEDS = Long.getLong("remedies", 20);
  private static final long FIRST = Long.getLong("remedies.first", 1);

  /** Later seeds in which a remedy once did not help. */
  private static final List<Long> ONCE_FAILED =
      List.of(25L, 38L, 60L, 125L, 195L, 323L, 344L, 588L);

  /** In so many seeds a lie must be found. */
  private static final long FAR = 200;

  private static final List<Duration> MOMENTS =
      List.of(Duration.ofMinutes(3), Duration.ofMinutes(5), Duration.ofMinutes(6));

  @Test
  void remedyOfFirstReasonHelps() {
    var steps = new TreeMap<String, Integer>();
    var lies = new ArrayList<String>();
    var seeds = LongStream.range(FIRST, FIRST + SEEDS).boxed();
    for (var seed : Stream.concat(ONCE_FAILED.stream(), seeds).toList())
      try {
        run(seed, Remedies::of).forEach(step -> steps.merge(step.kind(), 1, Integer::sum));
      } catch (AssertionError | RuntimeException e) {
        lies.add(seed + ": " + e);
      }
    System.out.println(steps);

    assertThat(lies).isEmpty();
  }

  /** Remedies with a mistake. */
  private enum Lie implements Function<Veto, Remedy> {
    ONE_MORE_MACHINE_IS_FOR_WHO_ASKS(7) {
      @Override
      public Remedy apply(Veto veto) {
        return veto instanceof PoolVeto.AtMaximum v
            ? new Remedy.RaiseMaximum(v.pool(), v.max() + 1)
            : Remedies.of(veto);
      }
    },
    A_BUDGET_IS_A_MAXIMUM(4) {
      @Override
      public Remedy apply(Veto veto) {
        return veto instanceof PoolVeto.OverBudget v
            ? new Remedy.RaiseMaximum(v.pool(), 99)
            : Remedies.of(veto);
      }
    },
    NOBODY_COMES_BEFORE_IN_A_LIMIT(10) {
      @Override
      public Remedy apply(Veto veto) {
        return veto instanceof LimitVeto.OfOwner v
            ? new Remedy.RaiseOwnerLimit(v.owner(), v.leased() + 1)
            : Remedies.of(veto);
      }
    },
    NO_PRICE_IS_A_SMALL_BUDGET(45) {
      @Override
      public Remedy apply(Veto veto) {
        return veto instanceof PoolVeto.NoPrice ? new Remedy.RaiseBudget(1_000) : Remedies.of(veto);
      }
    };

    /** The seed that found it last. */
    private final long near;

    Lie(long near) {
      this.near = near;
    }
  }

  @ParameterizedTest
  @EnumSource(Lie.class)
  void lieIsFound(Lie lie) {
    var seeds = LongStream.range(lie.near, lie.near + FAR);
    var found = seeds.filter(seed -> isFound(seed, lie)).findFirst();

    assertThat(found).as(lie.name()).isPresent();
    System.out.println(lie + ": seed " + found.getAsLong());
  }

  private static boolean isFound(long seed, Lie lie) {
    try {
      run(seed, lie);
      return false;
    } catch (AssertionError remedyDidNotHelp) {
      return true;
    }
  }

  private static List<RemedyChain.Step> run(long seed, Function<Veto, Remedy> remedies) {
    var world =
        new World(
            ScarceWorlds.of(seed),
            CoreControlPlane::new,
            Mutant.NONE,
            OptionalLong.empty(),
            Trace.KEPT,
            true);
    var steps = new ArrayList<RemedyChain.Step>();
    try (var _ = world.overlaps()) {
      ScarceWorlds.prepare(world);
      world.begin();
      var dice = new SimRandom(seed).of("moments");
      for (var moment : MOMENTS) {
        world.advanceTo(world.time().instant().plus(moment));
        var waiting = RemedyChain.waiting(world);
        if (!waiting.isEmpty())
          steps.addAll(new RemedyChain(world, remedies, dice.pick(waiting)).run());
      }
    }
    return steps;
  }
}
