package dev.mayfly.sim;

import dev.mayfly.sim.fake.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Prints what a set of seeds shows: {@code --seeds 300 --first 1}; with {@code --hashes} only the
 * hash of each trace; with {@code --bugs} also how soon each planted bug is found; with {@code
 * --seed 7 --lines 40} one seed's story.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    var options = new ArrayList<>(List.of(args));
    if (options.contains("--seed")) {
      System.out.println(
          Run.of(
                  Scenarios.of(number(options, "--seed", 1)),
                  PlantedBug.NONE,
                  OptionalLong.empty(),
                  (int) number(options, "--lines", Trace.KEPT))
              .story());
      return;
    }
    var first = number(options, "--first", 1);
    var count = (int) number(options, "--seeds", 300);
    var seeds = Seeds.run(first, count, PlantedBug.NONE);
    if (options.contains("--hashes")) {
      for (var r : seeds.results()) System.out.println(r.scenario().seed() + " " + r.hash());
      return;
    }
    System.out.print(seeds.table());
    if (options.contains("--bugs"))
      for (var bug : PlantedBugs.values())
        System.out.println(
            Seeds.Detection.of(bug, first, count, Seeds.Detection.BEGINNINGS).line());
    seeds.failures().stream()
        .findFirst()
        .ifPresent(f -> System.out.println(Shrink.story(f, PlantedBug.NONE)));
    if (!seeds.failures().isEmpty()) System.exit(1);
  }

  private static long number(List<String> options, String name, long otherwise) {
    var at = options.indexOf(name);
    return at < 0 ? otherwise : Long.parseLong(options.get(at + 1));
  }
}
