package dev.mayfly.sim;

import dev.mayfly.sim.engine.Trace;
import dev.mayfly.sim.mutant.KnownMutant;
import dev.mayfly.sim.scenario.ScenarioGenerator;
import dev.mayfly.sim.world.Mutant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Prints the results of a set of seeds: {@code --seeds 300 --first 1}; with {@code --hashes} only
 * the hash of each trace; with {@code --bugs} also how soon each mutant is found; with {@code
 * --seed 7 --lines 40} the end of one seed's trace.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    var options = new ArrayList<>(List.of(args));
    if (options.contains("--seed")) {
      System.out.println(
          SimulationRun.of(
                  ScenarioGenerator.of(number(options, "--seed", 1)),
                  Mutant.NONE,
                  OptionalLong.empty(),
                  (int) number(options, "--lines", Trace.KEPT))
              .story());
      return;
    }
    var first = number(options, "--first", 1);
    var count = (int) number(options, "--seeds", 300);
    var seedRuns = SeedRuns.run(first, count, Mutant.NONE);
    if (options.contains("--hashes")) {
      for (var r : seedRuns.results()) System.out.println(r.scenario().seed() + " " + r.hash());
      return;
    }
    System.out.print(seedRuns.table());
    if (options.contains("--bugs"))
      for (var bug : KnownMutant.values())
        System.out.println(
            SeedRuns.Detection.of(bug, first, count, SeedRuns.Detection.BEGINNINGS).line());
    seedRuns.failures().stream()
        .findFirst()
        .ifPresent(f -> System.out.println(FailureShrinker.report(f, Mutant.NONE)));
    if (!seedRuns.failures().isEmpty()) System.exit(1);
  }

  private static long number(List<String> options, String name, long otherwise) {
    var at = options.indexOf(name);
    return at < 0 ? otherwise : Long.parseLong(options.get(at + 1));
  }
}
