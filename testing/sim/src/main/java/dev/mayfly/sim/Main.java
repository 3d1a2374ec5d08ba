package dev.mayfly.sim;

import dev.mayfly.sim.engine.Trace;
import dev.mayfly.sim.mutant.KnownMutant;
import dev.mayfly.sim.scenario.ScenarioGenerator;
import dev.mayfly.sim.world.Mutant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Prints the results of a range of seeds: {@code --from 1 --count 300}, each violation as it is
 * found; with {@code --hashes} only the hash of each trace; with {@code --mutants} also how soon
 * each mutant is found; with {@code --seed 7 --lines 40} the end of one seed's trace; with {@code
 * --estimates} how often the estimates of jobs hold. {@code testing/sim/run} builds it and runs it.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    var options = new ArrayList<>(List.of(args));
    var from = number(options, "--from", 1);
    var count = (int) number(options, "--count", 300);
    if (options.contains("--seed")) {
      printSeed(number(options, "--seed", 1), (int) number(options, "--lines", Trace.KEPT));
    } else if (options.contains("--estimates")) {
      System.out.print(EstimateCalibration.table(from, count));
      System.out.print(StartCalibration.table(from, count));
    } else if (options.contains("--hashes")) {
      for (var r : SeedRuns.run(from, count, Mutant.NONE).results())
        System.out.println(r.scenario().seed() + " " + r.hash());
    } else {
      var clean = printRange(from, count);
      if (options.contains("--mutants")) printMutants(from, count);
      if (!clean) System.exit(1);
    }
  }

  private static void printSeed(long seed, int lines) {
    System.out.println(
        SimulationRun.of(ScenarioGenerator.of(seed), Mutant.NONE, OptionalLong.empty(), lines)
            .story());
  }

  private static boolean printRange(long from, int count) {
    var range = "seeds %d to %d".formatted(from, from + count - 1);
    System.out.println(range);
    var seedRuns = SeedRuns.run(from, count, Mutant.NONE, Main::printViolation);
    System.out.print(seedRuns.table());
    var failures = seedRuns.failures();
    failures.stream()
        .findFirst()
        .ifPresent(f -> System.out.println(FailureShrinker.report(f, Mutant.NONE)));
    System.out.printf(
        "%s: %d %s%n", range, failures.size(), failures.size() == 1 ? "violation" : "violations");
    return failures.isEmpty();
  }

  private static void printViolation(SimulationRun.Result result) {
    result
        .violation()
        .ifPresent(v ->
            System.out.printf(
                "%s%n  again: testing/sim/run --seed %d --lines 400%n",
                v.getMessage(), result.scenario().seed()));
  }

  private static void printMutants(long from, int count) {
    for (var bug : KnownMutant.values())
      System.out.println(
          SeedRuns.Detection.of(bug, from, count, SeedRuns.Detection.BEGINNINGS).line());
  }

  private static long number(List<String> options, String name, long otherwise) {
    var at = options.indexOf(name);
    return at < 0 ? otherwise : Long.parseLong(options.get(at + 1));
  }
}
